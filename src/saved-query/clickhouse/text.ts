// Checks the SQL of a `dialect: clickhouse` query: one SELECT that reads tables of the user's own, with declared parameters.
import { nearest, QuernError } from '../../errors.ts';
import type { Span } from '../../source-text.ts';
import { INSTANT_PARAMETER, type TranslatedParameter } from '../../sql/translation.ts';
import type { SavedQuery } from '../saved-query.ts';
import { refuseUnused } from '../unused-parameter.ts';
import { type ClickHouseToken, tokenizeClickHouse } from './token.ts';

interface ClickHouseText {
  /** Without the header, other comments, and the final semicolon. */
  readonly sql: string;
  readonly parameters: readonly TranslatedParameter[];
}

/** Table functions that make rows from their arguments alone; all others can reach files, hosts or other tables. */
const TABLE_FUNCTIONS = new Set([
  'numbers',
  'numbers_mt',
  'zeros',
  'zeros_mt',
  'generate_series',
  'generateseries',
  'values',
  'null',
  'generaterandom',
]);
/** Functions that read files, hosts, other tables or the server's configuration: table functions, refused wherever they stand, and ordinary ones. */
const REFUSED_FUNCTIONS = new Set(
  `arrowflight azureblobstorage azureblobstoragecluster catboostevaluate cluster clusterallreplicas deltalake deltalakeazure deltalakecluster
  deltalakelocal deltalakes3 dictionary executable file filecluster fuzzjson fuzzquery gcs getserversetting hdfs hdfscluster hudi hudicluster iceberg
  icebergazure icebergcluster iceberghdfs iceberglocal icebergs3 input jdbc loop merge mergetreeindex mergetreeprojection mongodb mysql odbc
  oss paimon postgresql prometheusquery prometheusqueryrange redis remote remotesecure s3 s3cluster sqlite timeseriesdata timeseriesmetrics
  timeseriestags url urlcluster view viewexplain viewifpermitted ytsaurus`.split(/\s+/),
);
const REFUSED_DATABASES = new Set(['system', 'information_schema']);
/** Statements that may stand in parentheses, or in place of the query. */
const REFUSED_STATEMENTS = new Set(['explain', 'show', 'describe', 'desc', 'create', 'alter', 'drop', 'execute']);
/** Words after which the tables of FROM are over, at their depth. */
const ENDS_FROM = new Set([
  'where',
  'prewhere',
  'group',
  'having',
  'order',
  'limit',
  'offset',
  'union',
  'intersect',
  'except',
  'window',
  'qualify',
  'select',
  'fetch',
]);

/**
 * The text as it may run. Throws QuernError: `unsupported` for what saved queries may not do, `syntax` for text that cannot be read,
 * `parameter` for names that are not declared, or that may be absent where the type has no NULL; `config` for declared names without use.
 */
export function checkClickHouse(query: SavedQuery): ClickHouseText {
  const { source } = query;
  const tokens = [...tokenizeClickHouse(source)];
  while (tokens.at(-1)?.text === ';') tokens.pop();
  const refuse = (token: ClickHouseToken, message: string, hint?: string): never => {
    throw new QuernError('unsupported', message, { source, span: spanOf(token), ...(hint === undefined ? {} : { hint }) });
  };
  checkStatement(tokens, refuse);
  checkReach(tokens, refuse);
  const last = tokens.at(-1);
  return { sql: withoutComments(source.text, tokens).slice(0, last?.end).trim(), parameters: readParameters(query, tokens) };
}

type Refuse = (token: ClickHouseToken, message: string, hint?: string) => never;

function checkStatement(tokens: readonly ClickHouseToken[], refuse: Refuse): void {
  const first = tokens.find(({ text }) => text !== '(');
  if (first === undefined) throw new QuernError('syntax', 'there is no SQL below the header');
  if (!isWord(first, 'select') && !isWord(first, 'with')) refuse(first, `a saved query is one SELECT, this begins with ${first.text}`);
  let depth = 0;
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    const before = tokens[at - 1];
    if (token.text === '(') depth++;
    if (token.text === ')') depth--;
    if (token.kind === 'symbol' && token.text === ';') refuse(token, 'a saved query is one statement', 'keep one query per file');
    if (isWord(token, 'into') && isWord(next, 'outfile')) refuse(token, 'INTO OUTFILE writes files', 'use `quern run … --output FILE`');
    // `settings` and `format` are ordinary names elsewhere: only what the clauses look like is refused.
    if (isWord(token, 'settings') && next?.kind === 'word' && tokens[at + 2]?.text === '=')
      refuse(token, 'SETTINGS cannot be changed by a saved query');
    if (isWord(token, 'format') && depth === 0 && next?.kind === 'word' && at >= tokens.length - 2) {
      refuse(token, 'FORMAT is chosen when the query runs', 'use `quern run … --format NAME`');
    }
    if ((isWord(token, 'insert') && isWord(next, 'into')) || (isWord(token, 'parallel') && isWord(next, 'with'))) {
      refuse(token, `${token.text.toUpperCase()} cannot be part of a saved query`);
    }
    const statement = token.kind === 'word' && REFUSED_STATEMENTS.has(token.text.toLowerCase());
    if (statement && before?.text === '(' && (next?.kind !== 'symbol' || next.text === '(')) {
      refuse(token, `${token.text.toUpperCase()} cannot be part of a saved query`);
    }
  });
}

interface Frame {
  /** True in the tables of a FROM clause. */
  from: boolean;
  /** True where the next name is a table. */
  table: boolean;
  /** False in the arguments of a function, where FROM is part of EXTRACT, TRIM and SUBSTRING. */
  readonly query: boolean;
}

/** Refuses tables and functions through which a query could reach beyond the user's own tables. */
function checkReach(tokens: readonly ClickHouseToken[], refuse: Refuse): void {
  const frames: Frame[] = [{ from: false, table: false, query: true }];
  let arrayInTablePlace = false;
  tokens.forEach((token, at) => {
    const frame = frames.at(-1) ?? { from: false, table: false, query: true };
    const next = tokens[at + 1];
    const name = token.kind === 'word' || token.kind === 'quoted_name' ? token.text.toLowerCase() : undefined;
    if (token.text === '(') {
      const inside = isWord(next, 'select') || isWord(next, 'with') || next?.text === '(';
      frames.push({ from: frame.table && !inside, table: frame.table && !inside, query: inside || frame.table });
      frame.table = false;
      return;
    }
    if (token.text === ')') {
      if (frames.length > 1) frames.pop();
      return;
    }
    // The embedded engine reads a file where its path stands for a table.
    if (frame.table && (token.kind === 'string' || (token.kind === 'quoted_name' && token.text.includes('/')))) {
      refuse(token, 'a file cannot be read by a saved query', 'load it with `quern load` and read its source');
    }
    if (name === undefined) {
      frame.table = token.text === '.' ? frame.table : token.text === ',' && frame.from;
      return;
    }
    if (next?.text === '.' && tokens[at - 1]?.text !== '.' && REFUSED_DATABASES.has(name)) {
      refuse(token, `tables of ${token.text} cannot be read by a saved query`);
    }
    if (next?.text === '(') checkFunction(token, name, frame, refuse);
    // After `database.` the table is still to come.
    if (frame.table && next?.text === '.') return;
    if (token.kind !== 'word') {
      frame.table = false;
      return;
    }
    if (name === 'join' && isArrayJoin(tokens, at, arrayInTablePlace)) {
      frame.from = false;
      frame.table = false;
    } else if (frame.query && (name === 'from' || name === 'join')) {
      frame.from = true;
      frame.table = true;
    } else {
      arrayInTablePlace = name === 'array' && frame.table;
      if (ENDS_FROM.has(name)) frame.from = false;
      frame.table = false;
    }
  });
}

/** ARRAY JOIN takes expressions. After a table or an alias that is called `array`, JOIN is an ordinary one. */
function isArrayJoin(tokens: readonly ClickHouseToken[], join: number, arrayInTablePlace: boolean): boolean {
  const before = tokens[join - 2];
  return isWord(tokens[join - 1], 'array') && !arrayInTablePlace && !isWord(before, 'as') && before?.text !== '.';
}

function checkFunction(token: ClickHouseToken, name: string, frame: Frame, refuse: Refuse): void {
  if (REFUSED_FUNCTIONS.has(name)) refuse(token, `the function ${token.text} cannot be used by a saved query`);
  if (frame.table && !TABLE_FUNCTIONS.has(name)) {
    refuse(
      token,
      `the table function ${token.text} cannot be used by a saved query`,
      'read a table; `numbers`, `zeros` and `values` are allowed',
    );
  }
}

function readParameters(query: SavedQuery, tokens: readonly ClickHouseToken[]): readonly TranslatedParameter[] {
  const { source } = query;
  const used = new Map<string, TranslatedParameter>();
  for (const token of tokens) {
    if (token.kind !== 'parameter') continue;
    const fail = (message: string, hint: string): never => {
      throw new QuernError('parameter', message, { source, span: spanOf(token), hint });
    };
    const colon = token.text.indexOf(':');
    const name = token.text.slice(1, colon).trim();
    const type = token.text.slice(colon + 1, -1).trim();
    const declared = query.parameters.find((parameter) => parameter.name === name);
    if (/^identifier$/i.test(type)) fail(`{${name}:Identifier} would let callers choose tables`, 'name the table or column in the SQL');
    if (declared === undefined && name !== INSTANT_PARAMETER) {
      const near = nearest(
        name,
        query.parameters.map((parameter) => parameter.name),
      );
      fail(
        `{${name}} is not declared`,
        near === undefined ? `declare it under params: in the header, e.g. ${name}: { type: string }` : `did you mean ${near}?`,
      );
    }
    const other = used.get(name);
    if (other !== undefined && other.type !== type)
      fail(`{${name}} is ${other.type} in one place and ${type} in another`, 'use one type everywhere');
    const mayBeAbsent = declared !== undefined && !declared.required && declared.default === undefined;
    if (mayBeAbsent && !/^(nullable|lowcardinality\(nullable|array)\(/i.test(type)) {
      fail(
        `{${name}:${type}} cannot be NULL, and the parameter may be absent`,
        `write {${name}:Nullable(${type})}, or give it a default, or make it required`,
      );
    }
    used.set(name, { name, type });
  }
  refuseUnused(query, (name) => used.has(name));
  return [...used.values()];
}

/** The text with comments blanked: two texts that differ in comments alone share their results, and offsets stay as they are. */
function withoutComments(text: string, tokens: readonly ClickHouseToken[]): string {
  let result = '';
  for (const { start, end } of tokens) result += text.slice(result.length, start).replace(/[^\r\n]/g, ' ') + text.slice(start, end);
  return result;
}

function isWord(token: ClickHouseToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === word;
}

const spanOf = ({ start, end }: ClickHouseToken): Span => ({ start, end });
