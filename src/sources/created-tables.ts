// Tables from the CREATE TABLE statements of ClickHouse that made them, as SHOW CREATE TABLE prints them: for who has no engine to ask.

import { QuernError } from '../base/errors.ts';
import { type ClickHouseToken, isName, isSymbol, isWord, tokenizeClickHouse } from '../clickhouse/lexer.ts';
import type { TableColumn } from '../sql/layouts/index.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';
import { bareDefinition } from './source-definition.ts';
import { sourceFromTable } from './table/table-source.ts';

interface Created {
  readonly database: string | undefined;
  readonly name: string;
  readonly columns: readonly TableColumn[];
}

/**
 * The tables as sources, by `name` and `database.name`; a project before that plays no part. Log tables of OpenTelemetry and Logflare are told by
 * their columns. Throws QuernError `syntax` with the place of what it cannot read.
 */
export function createdTables(text: string): SourceCatalog {
  const sources = new Map<string, Source>();
  for (const tokens of cut(tokenizeClickHouse({ name: '<tables>', text }), ';')) {
    const created = readStatement(tokens, text);
    const names = created.database === undefined ? [created.name] : [`${created.database}.${created.name}`, created.name];
    const source = sourceOf(created, tokens);
    for (const name of names) if (!sources.has(name.toLowerCase())) sources.set(name.toLowerCase(), source);
  }
  return {
    names: [...new Set([...sources.values()].map(({ database, name }) => (database === undefined ? name : `${database}.${name}`)))],
    find: (name) => sources.get(name.toLowerCase()) ?? sources.get(name.toLowerCase().split('.').slice(-2).join('.')),
  };
}

function sourceOf({ database, name, columns }: Created, tokens: readonly ClickHouseToken[]): Source {
  const definition = bareDefinition(name, { table: name, ...(database === undefined ? {} : { database }) });
  try {
    return sourceFromTable(definition, columns);
  } catch (error) {
    throw error instanceof QuernError ? new QuernError(error.code, error.message, { ...error.details, span: spanOf(tokens) }) : error;
  }
}

const isOneOf = (token: ClickHouseToken | undefined, ...words: readonly string[]): boolean => words.some((word) => isWord(token, word));

const spanOf = (tokens: readonly ClickHouseToken[]) => ({ start: tokens[0]?.start ?? 0, end: tokens.at(-1)?.end ?? 0 });

function wrong(message: string, tokens: readonly (ClickHouseToken | undefined)[], hint?: string): never {
  const span = spanOf(tokens.filter((token) => token !== undefined));
  throw new QuernError('syntax', message, { span, ...(hint === undefined ? {} : { hint }) });
}

/** How many brackets are open behind each token. */
function depthsOf(tokens: readonly ClickHouseToken[]): readonly number[] {
  let depth = 0;
  return tokens.map((token) => {
    if (isSymbol(token, '(') || isSymbol(token, '[')) depth++;
    if (isSymbol(token, ')') || isSymbol(token, ']')) depth--;
    return depth;
  });
}

/** Cut where `separator` stands in no brackets; empty pieces are left out. */
function cut(tokens: readonly ClickHouseToken[], separator: string): readonly (readonly ClickHouseToken[])[] {
  const depths = depthsOf(tokens);
  const ends = [...tokens.keys()].filter((i) => depths[i] === 0 && isSymbol(tokens[i], separator));
  const pieces = [...ends, tokens.length].map((end, i) => tokens.slice((ends[i - 1] ?? -1) + 1, end));
  return pieces.filter(({ length }) => length > 0);
}

const LIKE_THIS = 'paste what SHOW CREATE TABLE prints, e.g. CREATE TABLE web.hits (path String, time DateTime)';

function readStatement(tokens: readonly ClickHouseToken[], text: string): Created {
  let at = 0;
  const skip = (...words: readonly string[]): void => {
    while (isOneOf(tokens[at], ...words)) at++;
  };
  if (!isWord(tokens[at], 'create')) wrong('this is no CREATE TABLE statement', [tokens[0], tokens.at(-1)], LIKE_THIS);
  at++;
  skip('or', 'replace', 'temporary');
  if (!isWord(tokens[at], 'table')) wrong('only tables can be created here', [tokens[0], tokens[at]], LIKE_THIS);
  at++;
  skip('if', 'not', 'exists');
  const name: string[] = [];
  for (;;) {
    const part = tokens[at];
    if (!isName(part)) return wrong('the table has no name', tokens, LIKE_THIS);
    name.push(part.text);
    at++;
    if (!isSymbol(tokens[at], '.')) break;
    at++;
  }
  const start = tokens.findIndex((token, i) => i >= at && isSymbol(token, '('));
  const table = name.join('.');
  if (start === -1) return wrong(`the columns of ${table} are missing`, tokens, LIKE_THIS);
  const depths = depthsOf(tokens);
  const end = tokens.findIndex((_, i) => i >= start && depths[i] === 0);
  if (end === -1) return wrong(`the list of columns of ${table} does not end`, [tokens[start]], 'close it with )');
  const columns = cut(tokens.slice(start + 1, end), ',').flatMap((column) => readColumn(column, text));
  if (columns.length === 0) return wrong(`${table} has no columns`, [tokens[start], tokens[end]], LIKE_THIS);
  return { database: name.length > 1 ? name.at(-2) : undefined, name: name.at(-1) ?? '', columns };
}

/** What ends the type of a column. */
const BEHIND_TYPE = 'default materialized alias ephemeral codec comment ttl statistics null not primary settings'.split(' ');

function readColumn(tokens: readonly ClickHouseToken[], text: string): readonly TableColumn[] {
  const [first] = tokens;
  if (isOneOf(first, 'index', 'projection', 'constraint') || (isWord(first, 'primary') && isWord(tokens[1], 'key'))) return [];
  if (!isName(first)) return wrong('a column begins with its name', [first], LIKE_THIS);
  let at = 1;
  // The parts of a Nested column are columns: `items.price`.
  const name = [first.text];
  for (let part = tokens[at + 1]; isSymbol(tokens[at], '.') && part !== undefined; part = tokens[at + 1]) {
    name.push(part.text);
    at += 2;
  }
  const depths = depthsOf(tokens);
  const end = tokens.findIndex((token, i) => i >= at && depths[i] === 0 && isOneOf(token, ...BEHIND_TYPE));
  const type = tokens.slice(at, end === -1 ? tokens.length : end);
  const behind = end === -1 ? [] : tokens.slice(end);
  if (type.length === 0) return wrong(`the column ${name.join('.')} has no type`, tokens, 'write it as ClickHouse does, e.g. path String');
  // Its values are never stored, and cannot be read.
  if (isWord(behind[0], 'ephemeral')) return [];
  const { start, end: stop } = spanOf(type);
  const written = text.slice(start, stop);
  return [{ name: name.join('.'), type: isWord(behind[0], 'null') ? `Nullable(${written})` : written }];
}
