// A group of the collection as it lies in its folder:
//   group.yaml    title; goal, the share in percent that must run; as_of; sandbox and arguments, where the queries are `sql=` of a saved query
//   quern.yaml    which tables stand for what the queries name
//   tables.sql    ClickHouse statements that make these tables with a few rows
//   events/       NDJSON files of log events, each named like its source
//   queries/      files of queries, each query below a line `-- # its name`; below that line there may be `-- rows: [[…]]`, the rows it must give
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface CollectedQuery {
  readonly name: string;
  readonly sql: string;
  /** As JSON. */
  readonly rows?: string;
}

export interface Group {
  readonly folder: string;
  readonly title: string;
  readonly goal: number | undefined;
  readonly asOf: string | undefined;
  /** Name of the saved query whose callers send the SQL. */
  readonly sandbox: string | undefined;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly statements: readonly string[];
  /** Files by source. */
  readonly events: Readonly<Record<string, string>>;
  readonly queries: readonly CollectedQuery[];
}

export function readGroup(folder: string): Group {
  const { title, goal, as_of, sandbox, data = '.', args = {} } = parse(readFileSync(join(folder, 'group.yaml'), 'utf8'));
  // Two groups may ask the same queries of the same tables in two ways.
  const held = join(folder, data);
  const file = (name: string): string => (existsSync(join(held, name)) ? readFileSync(join(held, name), 'utf8') : '');
  const listed = (name: string, ending: string): readonly string[] =>
    existsSync(join(held, name)) ? readdirSync(join(held, name)).filter((entry) => entry.endsWith(ending)) : [];
  return {
    folder: held,
    title,
    goal,
    asOf: as_of,
    sandbox,
    arguments: args,
    statements: file('tables.sql')
      .split(/;\s*$/m)
      .filter((statement) => statement.trim() !== ''),
    events: Object.fromEntries(listed('events', '.ndjson').map((name) => [name.replace(/\.ndjson$/, ''), join(held, 'events', name)])),
    queries: listed('queries', '.sql').flatMap((name) => readQueries(name.replace(/\.sql$/, ''), file(`queries/${name}`))),
  };
}

function readQueries(file: string, text: string): readonly CollectedQuery[] {
  return text
    .split(/^-- # /m)
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.split('\n');
      const rows = /^-- rows: (.*)$/.exec(lines[0] ?? '')?.[1];
      return {
        name: `${file}: ${name.trim()}`,
        sql: lines.slice(rows === undefined ? 0 : 1).join('\n'),
        ...(rows === undefined ? {} : { rows }),
      };
    });
}

/** Longer ones say nothing to a reader. */
const MAX_ROWS_TEXT = 500;

/** Writes the rows that were the same elsewhere below the names of their queries. */
export function recordRows(
  { folder, queries }: Group,
  outcomes: readonly { readonly query: string; readonly message: string; readonly compared?: { readonly kind: string } }[],
): void {
  for (const { query, message, compared } of outcomes) {
    const known = queries.find(({ name }) => name === query)?.rows;
    if (compared?.kind !== 'same' || known !== undefined || message.length > MAX_ROWS_TEXT) continue;
    const [file = '', ...title] = query.split(': ');
    const path = join(folder, 'queries', `${file}.sql`);
    const heading = `-- # ${title.join(': ')}\n`;
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(heading, () => `${heading}-- rows: ${message}\n`),
    );
  }
}
