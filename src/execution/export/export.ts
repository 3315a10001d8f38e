// Runs a saved query whose rows are too many to hold: they go from the engine to where they are wanted as bytes, past the cache.

import { type EngineFormat, isLineFormat, type LineFormat } from '../../base/formats.ts';
import type { ResultColumn } from '../../base/result.ts';
import type { StreamEnd } from '../../engine/engine.ts';
import { type ExecutionDependencies, type ExecutionRequest, openExecution } from '../execute.ts';
import { ALL_ROWS } from '../one-off.ts';
import type { PreparedQuery } from '../prepared-query.ts';
import { columnsAsked } from '../run.ts';
import { documents, type ExportBytes } from './documents.ts';
import { counted, headed, type LinePrinter, printed, removeMark } from './rows.ts';
import { lineQuery } from './text.ts';

export type ExportFormat = LineFormat | EngineFormat;

/** How the rows are to be written. */
export interface ExportSink {
  readonly format: ExportFormat;
  /** Picks columns by position, and the names under which they appear; called once the columns are known. */
  readonly choose: (columns: readonly ResultColumn[]) => { readonly positions: readonly number[]; readonly names: readonly string[] };
  /** Prints the chosen columns; for formats that are lines. */
  readonly printer: (columns: readonly ResultColumn[]) => LinePrinter;
}

export interface ExportEnd extends StreamEnd {
  readonly truncated: boolean;
  readonly elapsedMs: number;
}

/** An export that has not begun. One of `write` and `chunks` is used, then `end`. */
export interface Export extends ExportBytes {
  /** How it was, once all is written. Asks the engine whether there was more, where only `max_rows` rows came. */
  end(): Promise<ExportEnd>;
}

/** Stands behind the last row while the engine writes a file, so that a file cut short is known. */
const MARK = '\x04whole\n';
/** One column of text, each value a line as it is. */
const LINES = { format: 'TSVRaw', settings: { output_format_tsv_crlf_end_of_line: 0 } } as const;
/** The same with something around all lines. */
const FRAMED = {
  format: 'CustomSeparated',
  settings: {
    format_custom_escaping_rule: 'Raw',
    format_custom_row_before_delimiter: '',
    format_custom_row_after_delimiter: '\n',
    format_custom_row_between_delimiter: '',
  },
} as const;

/** Throws as run does. */
export async function openExport(
  prepared: PreparedQuery,
  request: ExecutionRequest,
  { format, choose, printer: printerOf }: ExportSink,
  deps: ExecutionDependencies,
): Promise<Export> {
  const { maxRows } = prepared;
  // Neither the types of a file's columns nor its bytes may depend on the arguments.
  const how = { ...request, general: true };
  const { ask, stream, writeFile } = await openExecution(prepared, how, deps);
  const startedAt = performance.now();
  const columns = await columnsAsked(prepared, ask);
  const { positions, names } = choose(columns);
  const chosen = positions.flatMap((at) => columns[at] ?? []);
  let ended: StreamEnd = {};
  /** Adds facts that the engine knows, or that were counted on the way. */
  const onEnd = (end: StreamEnd): void => {
    ended = { ...ended, ...end };
  };

  const way = isLineFormat(format)
    ? lines(format, printerOf(chosen))
    : await documents(prepared, { format, columns, positions, names, onEnd }, { stream, writeFile });

  function lines(name: LineFormat, printer: LinePrinter): ExportBytes {
    // Columns of ClickHouse SQL may be of any of its types: quern's own writers know what to do with them.
    const own =
      prepared.columns === undefined ? undefined : lineQuery(prepared.sql, { format: name, columns, positions, printer, maxRows });
    if (own === undefined) {
      const values = stream(`SELECT * FROM (\n${prepared.sql}\n) LIMIT ${maxRows}`, 'JSONCompactEachRow', { onEnd });
      return { chunks: () => printed(values, { columns, positions, printer, onEnd }) };
    }
    return {
      chunks() {
        const text = stream(own, LINES.format, { settings: LINES.settings, onEnd });
        return headed(printer.head, writeFile === undefined ? counted(text, name, onEnd) : text);
      },
      ...(writeFile === undefined
        ? {}
        : {
            write: async (file, compression) => {
              const around = {
                format_custom_result_before_delimiter: printer.head,
                format_custom_result_after_delimiter: compression === undefined ? MARK : '',
              };
              const target = { file, format: FRAMED.format, ending: MARK, compression };
              onEnd(await writeFile(own, target, { ...FRAMED.settings, ...around }));
              if (compression === undefined) await removeMark(file, MARK);
            },
          }),
    };
  }

  const hasMore = async (): Promise<boolean> =>
    (await ask(`SELECT 1 FROM (\n${prepared.sql}\n) LIMIT 1 OFFSET ${maxRows}`)).rows.length > 0;

  return {
    ...way,
    async end() {
      const elapsedMs = performance.now() - startedAt;
      const truncated = maxRows < ALL_ROWS && (ended.rows === undefined || ended.rows >= maxRows) && (await hasMore());
      return { ...ended, truncated, elapsedMs };
    },
  };
}
