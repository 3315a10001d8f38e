// Runs a saved query whose rows are too many to hold: they go from the engine to where they are wanted as bytes, past the cache.
import type { Engine, EngineQuery, StreamEnd } from '../../engine/engine.ts';
import type { ResultColumn } from '../../result.ts';
import { instantAt } from '../instant.ts';
import { bindingsFor, readArguments } from '../parameters.ts';
import type { Plan } from '../plan.ts';
import { explained, type RunDependencies, type RunRequest, readAsOf } from '../run.ts';
import { counted, headed, type LinePrinter, printed, removeMark } from './rows.ts';
import { exportQuery, type LineFormat, lineQuery } from './text.ts';

export type ExportFormat = LineFormat | 'parquet' | 'arrow';

export interface ExportRequest extends Pick<RunRequest, 'arguments' | 'asOf' | 'signal'> {
  readonly plan: Plan;
  readonly format: ExportFormat;
  /** Picks columns by position, and the names under which they appear; asked once the columns are known. */
  readonly choose: (columns: readonly ResultColumn[]) => { readonly positions: readonly number[]; readonly names: readonly string[] };
  /** Of the columns chosen; for formats that are lines. */
  readonly printer: (columns: readonly ResultColumn[]) => LinePrinter;
}

export interface ExportEnd extends StreamEnd {
  readonly truncated: boolean;
  readonly elapsedMs: number;
}

/** An export that has not begun. One of `write` and `chunks` is used, then `end`. */
export interface Export {
  /** Has the engine write the file itself; absent where it cannot. Throws an error with the code ENOSPC when the disk is full. */
  readonly write?: (file: string, compression?: 'zstd') => Promise<void>;
  chunks(): AsyncIterable<Uint8Array>;
  /** How it was, once all is written. Asks the engine whether there was more, where only `max_rows` rows came. */
  end(): Promise<ExportEnd>;
}

const DOCUMENTS = { parquet: { format: 'Parquet', ending: 'PAR1' }, arrow: { format: 'Arrow', ending: 'ARROW1' } } as const;
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

/** Throws as runSavedQuery does. */
export async function openExport(request: ExportRequest, deps: Omit<RunDependencies, 'cache' | 'catalog' | 'sources'>): Promise<Export> {
  const { plan, format } = request;
  const values = readArguments(plan.parameters, request.arguments, plan.name);
  const asOf = request.asOf === undefined ? undefined : readAsOf(request.asOf, plan);
  const engine = explaining(await deps.engine(), (error) => explained(error, { plan, values }));
  const startedAt = performance.now();
  const base = {
    bindings: bindingsFor(plan.bound, values, asOf ?? instantAt(deps.now())),
    settings: plan.settings,
    limits: { ...deps.limits, ...plan.limits, ...deps.givenLimits },
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
  const columns = plan.columns ?? (await columnsOf(plan, engine, base));
  const { positions, names } = request.choose(columns);
  const chosen = positions.flatMap((at) => columns[at] ?? []);
  let ended: StreamEnd = {};
  /** What the engine knows, and what was counted on the way. */
  const onEnd = (end: StreamEnd): void => {
    ended = { ...ended, ...end };
  };

  const way = format === 'parquet' || format === 'arrow' ? documents(format) : lines(format, request.printer(chosen));

  function documents(name: keyof typeof DOCUMENTS): Pick<Export, 'write' | 'chunks'> {
    const items = positions.map((at, i) => `q.q${at} AS ${quoteName(names[i] ?? '')}`);
    const query = { ...base, sql: exportQuery(plan.sql, columns, items, plan.maxRows) };
    const { writeFile } = engine;
    return {
      chunks: () => engine.stream(query, DOCUMENTS[name].format, onEnd),
      ...(writeFile === undefined ? {} : { write: async (file) => onEnd(await writeFile(query, { file, ...DOCUMENTS[name] })) }),
    };
  }

  function lines(name: LineFormat, printer: LinePrinter): Pick<Export, 'write' | 'chunks'> {
    const { maxRows } = plan;
    // Columns of ClickHouse SQL may be of any of its types: quern's own writers know what to do with them.
    const own = plan.columns === undefined ? undefined : lineQuery(plan.sql, { format: name, columns, positions, printer, maxRows });
    if (own === undefined) return { chunks: () => printed(engine, limited(plan, base), { columns, positions, printer, onEnd }) };
    const query = (settings: EngineQuery['settings']): EngineQuery => ({ ...base, sql: own, settings: { ...base.settings, ...settings } });
    const { writeFile } = engine;
    return {
      chunks() {
        const stream = engine.stream(query(LINES.settings), LINES.format, onEnd);
        return headed(printer.head, writeFile === undefined ? counted(stream, name, onEnd) : stream);
      },
      ...(writeFile === undefined
        ? {}
        : {
            write: async (file, compression) => {
              const around = {
                format_custom_result_before_delimiter: printer.head,
                format_custom_result_after_delimiter: compression === undefined ? MARK : '',
              };
              const target = { file, format: FRAMED.format, ending: MARK, ...(compression === undefined ? {} : { compression }) };
              onEnd(await writeFile(query({ ...FRAMED.settings, ...around }), target));
              if (compression === undefined) await removeMark(file, MARK);
            },
          }),
    };
  }

  return {
    ...way,
    async end() {
      const elapsedMs = performance.now() - startedAt;
      const { rows } = ended;
      const truncated = (rows === undefined || rows >= plan.maxRows) && (await hasMore(plan, engine, base));
      return { ...ended, truncated, elapsedMs };
    },
  };
}

/** The same engine, whose failures are told as `explain` gives them. */
function explaining(engine: Engine, explain: (error: unknown) => Promise<unknown>): Engine {
  const told = async (error: unknown): Promise<never> => {
    throw await explain(error);
  };
  const { writeFile } = engine;
  return {
    ...engine,
    execute: (query) => engine.execute(query).catch(told),
    async *stream(query, format, onEnd) {
      try {
        yield* engine.stream(query, format, onEnd);
      } catch (error) {
        await told(error);
      }
    },
    ...(writeFile === undefined ? {} : { writeFile: (query, file) => writeFile(query, file).catch(told) }),
  };
}

const limited = ({ sql, maxRows }: Plan, base: Omit<EngineQuery, 'sql'>): EngineQuery => ({
  ...base,
  sql: `SELECT * FROM (\n${sql}\n) LIMIT ${maxRows}`,
});

async function columnsOf(plan: Plan, engine: Engine, base: Omit<EngineQuery, 'sql'>): Promise<readonly ResultColumn[]> {
  const [{ googleType }, { columns }] = await Promise.all([
    import('../clickhouse/type.ts'),
    engine.execute({ ...base, sql: `SELECT * FROM (\n${plan.sql}\n) LIMIT 0` }),
  ]);
  return columns.map(({ name, type }) => ({ name, type: googleType(type) }));
}

async function hasMore(plan: Plan, engine: Engine, base: Omit<EngineQuery, 'sql'>): Promise<boolean> {
  const sql = `SELECT 1 FROM (\n${plan.sql}\n) LIMIT 1 OFFSET ${plan.maxRows}`;
  return (await engine.execute({ ...base, sql })).rows.length > 0;
}

const quoteName = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``;
