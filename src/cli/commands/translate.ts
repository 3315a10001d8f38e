// quern translate: translates any BigQuery query to ClickHouse SQL.
import { type Command, Option } from 'commander';
import { QuernError } from '../../base/errors.ts';
import { parameterTypeText } from '../../queries/parameter-types.ts';
import type { TextTranslation } from '../../queries/translate-text.ts';
import type { DeclaredTable } from '../../sources/given-tables.ts';
import { PRODUCTS, type Product } from '../../sources/presets/products.ts';
import { collect } from '../arguments/flags.ts';
import type { Parts } from '../parts.ts';
import { readGivenSql } from './query/given-sql.ts';
import { PARAMETER } from './run/row-options.ts';

interface Flags {
  readonly param?: readonly string[];
  readonly json?: true;
  readonly helpers: 'with' | 'functions' | 'inline';
  readonly for?: Product;
  readonly absent?: 'null' | 'empty';
  readonly parameter?: readonly string[];
  readonly table?: readonly string[];
  readonly assumeTables?: true;
}

export function register(command: Command, parts: Parts): void {
  command
    .argument('<query>', 'a file with a BigQuery query, its SQL, the name of a saved query, or - for standard input')
    .option('--param <name:type>', 'type of a parameter that the query does not declare; may be repeated', collect)
    .option('--json', 'print SQL, columns, parameters, settings and notes as JSON')
    .addOption(
      new Option(
        '--helpers <how>',
        'where functions and names stand that the SQL uses again and again: in its WITH, functions in CREATE FUNCTION, or inline',
      )
        .choices(['with', 'functions', 'inline'])
        .default('with'),
    )
    .addOption(
      new Option('--for <product>', 'write a text to paste into the log explorer of a product, whose tables are known').choices(PRODUCTS),
    )
    .addOption(
      new Option(
        '--absent <how>',
        "with --for: what an event has not is null, as in BigQuery, or empty: '' or 0, which is shorter",
      ).choices(['null', 'empty']),
    )
    .option(
      '--table <name=schema>',
      'columns of a table: a file of what `bq show --schema` prints, or id:INT64,at:TIMESTAMP; may be repeated',
      collect,
    )
    .option('--assume-tables', 'sketch tables that are not known from the query itself: the columns that it names, of types that fit')
    .option(PARAMETER[0], `with --for: ${PARAMETER[1]}`, collect)
    .addHelpText(
      'after',
      `
Examples:
  quern translate queries/events-per-hour.sql
  echo 'select countif(x > 1) from unnest([1, 2, 3]) as x' | quern translate -
  echo 'select @since as since, id from unnest(@ids) as id' | quern translate - --param since:timestamp --param 'ids:array of integer' --json
  bq show --schema my-proj:shop.orders > orders.json; quern translate report.sql --table shop.orders=orders.json
  quern translate 'select sum(price) as total from \`my-proj.web.visits\`' --assume-tables
  quern translate 'select id, r.path from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r where r.path like @path' --for supabase -p path::%rest%

Types of parameters: those of SQL (INT64, NUMERIC, STRUCT<a INT64>), or string, integer, float, boolean, timestamp, date …, and 'array of' each. A parameter that is not declared is of a type that fits, with a note.
What cannot be translated correctly is refused, with the place and the reason, and exit code 2. Nothing is run.`,
    )
    .action((query: string, flags: Flags) => translateQuery(query, flags, parts));
}

async function translateQuery(query: string, flags: Flags, { io, catalog, connection, terminal }: Parts): Promise<void> {
  refuseAlone(flags);
  const [{ translateText }, { keptSql }] = await Promise.all([
    import('../../queries/translate-text.ts'),
    import('../../queries/kept-sql.ts'),
  ]);
  const text = await readGivenSql(query, { io, catalog });
  const sources =
    flags.for === undefined
      ? await (await connection()).sources()
      : (await import('../../sources/given-tables.ts')).productSources(flags.for);
  const declared = await declaredTables(flags.table ?? [], { io, terminal });
  const context = {
    catalog: await catalog(),
    sources: declared.length === 0 ? sources : (await import('../../sources/given-tables.ts')).withDeclaredTables(sources, declared),
    assumeTables: flags.assumeTables,
    helpers: flags.helpers,
    for: flags.for,
    absent: flags.absent,
    valued: flags.parameter === undefined ? [] : await valuedBy(flags.parameter),
  };
  const translated = (result?: number) =>
    translateText(text, flags.param ?? [], { ...context, result }).catch((error: unknown) => {
      throw flags.for === undefined ? withWayOut(error) : error;
    });
  const translation = await translated();
  const { results = 1 } = translation;
  const earlier: TextTranslation[] = [];
  for (let result = 0; result < results - 1; result += 1) earlier.push(await translated(result));
  const assumed = translation.parameters.filter((parameter) => parameter.assumed);
  const first = assumed[0]?.called;
  if (first !== undefined) {
    const how = first.startsWith('@')
      ? `declare it with --param ${first.slice(1)}:TYPE`
      : 'name it, as in @name, and declare it with --param name:TYPE';
    const called = [...new Set(assumed.map(parameterTypeText))].map((type) => {
      const ofType = assumed.filter((one) => parameterTypeText(one) === type).map((one) => one.called);
      return `${ofType.join(', ')}: no type is declared, so ${type} is assumed`;
    });
    await terminal.note(`note: ${called.join('; ')}; ${how}`);
  }
  for (const { name, text } of translation.assumedTables)
    await terminal.note(`note: ${name} is not known, so its columns are assumed: ${text}; declare them with --table ${name}=FILE`);
  if (flags.json === true) {
    const all = [...earlier, translation].map(asJson);
    await io.stdout.write(`${JSON.stringify(results === 1 ? all[0] : all, null, 2)}\n`);
    return;
  }
  for (const { construct, note, line, column } of translation.notes)
    if (note !== undefined) await terminal.note(`note: ${line}:${column}: ${construct}: ${note}`);
  for (const difference of translation.differences ?? []) await terminal.note(`note: ${difference}`);
  const kept = [...earlier, translation].map((one) => {
    const bound = one.parameters.flatMap(({ name, bound: type }) => (type === undefined ? [] : [{ name, type }]));
    return keptSql({ ...one, bound });
  });
  // Each of the queries of a script ends with a semicolon.
  await io.stdout.write(kept.length === 1 ? kept.join('') : kept.map((sql) => `${sql.trimEnd()};\n`).join('\n'));
}

/** Says how a query is translated without its tables. */
function withWayOut(error: unknown): unknown {
  if (!(error instanceof QuernError) || error.code !== 'unknown-source') return error;
  const { hint, ...details } = error.details;
  const more = 'to translate without the table: --assume-tables, or --table NAME=SCHEMA';
  return new QuernError(error.code, error.message, { ...details, hint: hint === undefined ? more : `${hint}; ${more}` });
}

/** Reads `--table name=schema`. */
async function declaredTables(
  texts: readonly string[],
  { io, terminal }: Pick<Parts, 'io' | 'terminal'>,
): Promise<readonly DeclaredTable[]> {
  const { schemaFlag } = await import('../arguments/schema-flag.ts');
  return Promise.all(
    texts.map(async (text) => {
      const [, name, schema] = /^`?([^=`]+)`?=(.+)$/s.exec(text) ?? [];
      if (name === undefined || schema === undefined)
        throw new QuernError('usage', `--table ${JSON.stringify(text)} is not name=schema`, {
          hint: 'write it like --table shop.orders=orders.json, or --table shop.orders=id:INT64,at:TIMESTAMP',
        });
      const { columns, notes } = await schemaFlag(schema, io.cwd, `--table ${name}`);
      for (const note of notes) await terminal.note(`note: ${name}.${note}`);
      return { name, columns };
    }),
  );
}

/** Refuses flags that say nothing without `--for`. */
function refuseAlone(flags: Flags): void {
  if (flags.for !== undefined && (flags.table !== undefined || flags.assumeTables === true))
    throw new QuernError('usage', `the tables of ${flags.for} are known`, { hint: 'leave out --table and --assume-tables' });
  if (flags.for !== undefined) return;
  const [stray] = (['absent', 'parameter'] as const).filter((name) => flags[name] !== undefined);
  if (stray !== undefined)
    throw new QuernError('usage', `--${stray} only applies to a text for a product`, { hint: `add --for ${PRODUCTS[0]}` });
}

/** Reads the values of `-p`. */
async function valuedBy(texts: readonly string[]) {
  const { readGivenParameters } = await import('./query/given-parameter.ts');
  const { withValue } = await import('../../queries/translate-text.ts');
  return readGivenParameters(texts).map(({ declaration, value }) => withValue(declaration, value));
}

function asJson({ sql, columns, parameters, settings, sources, notes, differences, helpers, assumedTables }: TextTranslation): unknown {
  return {
    sql,
    helpers,
    columns,
    parameters: parameters.map(({ name, bound, assumed, called: _, ...type }) => ({
      name,
      type: parameterTypeText(type),
      clickhouse: bound ?? null,
      assumed,
    })),
    settings,
    sources,
    ...(assumedTables.length === 0 ? {} : { assumed_tables: assumedTables.map(({ name, columns: found }) => ({ name, columns: found })) }),
    notes: notes.map(({ construct, rows, note, line, column }) => ({ construct, rows, note: note ?? null, line, column })),
    differences,
  };
}
