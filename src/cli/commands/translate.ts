// quern translate: translates any BigQuery query to ClickHouse SQL.
import { type Command, Option } from 'commander';
import type { TextTranslation } from '../../queries/translate-text.ts';
import { readTextFile } from '../arguments/text-file.ts';
import type { Parts } from '../parts.ts';

interface Flags {
  readonly param?: readonly string[];
  readonly json?: true;
  readonly helpers: 'with' | 'functions' | 'inline';
}

export function register(command: Command, { io, catalog, connection, terminal }: Parts): void {
  command
    .argument('<file>', 'a file with a BigQuery query, or - for standard input')
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
    .addHelpText(
      'after',
      `
Examples:
  quern translate queries/events-per-hour.sql
  echo 'select countif(x > 1) from unnest([1, 2, 3]) as x' | quern translate -
  echo 'select @since as since, id from unnest(@ids) as id' | quern translate - --param since:timestamp --param 'ids:array of integer' --json

Types of parameters: string, integer, float, boolean, timestamp, date, and 'array of' each. A parameter that is not declared is taken as a string, with a note.
What cannot be translated correctly is refused, with the place and the reason, and exit code 2. Nothing is run.`,
    )
    .action(async (file: string, flags: Flags) => {
      const [{ translateText }, { keptSql }] = await Promise.all([
        import('../../queries/translate-text.ts'),
        import('../../queries/kept-sql.ts'),
      ]);
      const text = await readTextFile(file, io);
      const sources = await (await connection()).sources();
      const queries = await catalog();
      const translation = await translateText(text, flags.param ?? [], { catalog: queries, sources, helpers: flags.helpers });
      const assumed = translation.parameters.filter((parameter) => parameter.assumed).map(({ name }) => `@${name}`);
      if (assumed.length > 0)
        await terminal.note(
          `note: ${assumed.join(', ')}: no type is declared, so string is assumed; declare it with --param ${assumed[0]?.slice(1)}:TYPE`,
        );
      if (flags.json === true) await io.stdout.write(`${JSON.stringify(asJson(translation), null, 2)}\n`);
      else {
        for (const { construct, note, line, column } of translation.notes)
          if (note !== undefined) await terminal.note(`note: ${line}:${column}: ${construct}: ${note}`);
        const bound = translation.parameters.flatMap(({ name, bound: type }) => (type === undefined ? [] : [{ name, type }]));
        await io.stdout.write(keptSql({ ...translation, bound }));
      }
    });
}

const collect = (word: string, before: readonly string[] = []): readonly string[] => [...before, word];

function asJson({ sql, columns, parameters, settings, sources, notes, helpers }: TextTranslation): unknown {
  return {
    sql,
    helpers,
    columns,
    parameters: parameters.map(({ name, type, array, bound, assumed }) => ({
      name,
      type: array ? `array of ${type}` : type,
      clickhouse: bound ?? null,
      assumed,
    })),
    settings,
    sources,
    notes: notes.map(({ construct, rows, note, line, column }) => ({ construct, rows, note: note ?? null, line, column })),
  };
}
