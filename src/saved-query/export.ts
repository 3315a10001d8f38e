// Runs a saved query whose rows are too many to hold: they go from the engine to where they are wanted as bytes, past the cache.
import type { Engine, EngineQuery, StreamEnd } from '../engine/engine.ts';
import type { ResultColumn } from '../result.ts';
import { counted, headed, type LinePrinter, printed, removeMark, settingsPermitting } from './export-rows.ts';
import { exportQuery, type LineFormat, lineQuery } from './export-text.ts';
import { instantAt } from './instant.ts';
import { bindingsFor, readArguments } from './parameters.ts';
import type { Plan } from './plan.ts';
import { type RunDependencies, type RunRequest, readAsOf } from './run.ts';

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
/** Where the rows are in a template of the engine's. */
const DATA = '$' + '{data}';

/** Throws as runSavedQuery does. */
export async function openExport(request: ExportRequest, deps: Omit<RunDependencies, 'cache' | 'catalog' | 'sources'>): Promise<Export> {
  const { plan, format } = request;
  const values = readArguments(plan.parameters, request.arguments, plan.name);
  const asOf = request.asOf === undefined ? undefined : readAsOf(request.asOf, plan);
  const engine = await deps.engine();
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
    const own =
      plan.columns === undefined ? undefined : lineQuery(plan.sql, { format: name, columns, positions, keys: printer.keys, maxRows });
    const oneByOne = () => printed(engine, limited(plan, base), { columns, positions, printer, onEnd });
    if (own === undefined) return { chunks: oneByOne };
    const query = { ...base, sql: own.sql };
    const settings = (around: string) => ({ ...base.settings, ...own.settings, format_template_resultset_format: around });
    const { writeFile } = engine;
    return {
      chunks() {
        // Nothing around the rows, so that the parts of a stream add up.
        const stream = engine.stream({ ...query, settings: settings(DATA) }, 'Template', onEnd);
        return settingsPermitting(headed(printer.head, writeFile === undefined ? counted(stream, name, onEnd) : stream), oneByOne);
      },
      ...(writeFile === undefined
        ? {}
        : {
            write: async (file, compression) => {
              const head = printer.head.replaceAll('$', '$$$$');
              const around = `${head}${DATA}${compression === undefined ? MARK : ''}`;
              const target = { file, format: 'Template', ending: MARK, ...(compression === undefined ? {} : { compression }) };
              onEnd(await writeFile({ ...query, settings: settings(around) }, target));
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

const limited = ({ sql, maxRows }: Plan, base: Omit<EngineQuery, 'sql'>): EngineQuery => ({
  ...base,
  sql: `SELECT * FROM (\n${sql}\n) LIMIT ${maxRows}`,
});

async function columnsOf(plan: Plan, engine: Engine, base: Omit<EngineQuery, 'sql'>): Promise<readonly ResultColumn[]> {
  const [{ googleType }, { columns }] = await Promise.all([
    import('./clickhouse-type.ts'),
    engine.execute({ ...base, sql: `SELECT * FROM (\n${plan.sql}\n) LIMIT 0` }),
  ]);
  return columns.map(({ name, type }) => ({ name, type: googleType(type) }));
}

async function hasMore(plan: Plan, engine: Engine, base: Omit<EngineQuery, 'sql'>): Promise<boolean> {
  const sql = `SELECT 1 FROM (\n${plan.sql}\n) LIMIT 1 OFFSET ${plan.maxRows}`;
  return (await engine.execute({ ...base, sql })).rows.length > 0;
}

const quoteName = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``;
