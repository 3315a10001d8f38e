// Reads a whole text: functions, variables and tables of its own, then its query, or several.
import { QuernError } from '../../../base/errors.ts';
import type { CreatedTable, OwnFunction, Query, Script, Statement } from '../ast.ts';
import { refuseDeepTree } from '../tree-depth.ts';
import { GRAMMAR } from './grammar.ts';
import { type Plain, parseStep, parseSteps, type Step } from './parse-control.ts';
import { Parser } from './parser.ts';
import { readAhead } from './read-ahead.ts';
import { refuseForeignDrop, refuseInsert, refuseRest, refuseStatement } from './refuse-statement.ts';

/** The most queries of one text. */
const MOST_RESULTS = 100;

/**
 * Reads CREATE FUNCTION, DECLARE, SET, CREATE … AS SELECT and queries, any number of each; the last CREATE … AS SELECT or INSERT … SELECT may be the
 * query. Any of them may stand between BEGIN and END, in IF and in CASE, or in the text of EXECUTE IMMEDIATE. Returns the script of the last query.
 * @throws QuernError `syntax` with the place and what was expected, `unsupported` for BigQuery that quern does not take.
 */
export function parseScript(text: string): Script {
  const s = new Parser(text, GRAMMAR);
  const { start } = s.token;
  const steps = parseSteps(s);
  if (s.token.kind !== 'end') {
    if (steps.some(({ kind }) => kind === 'result' || kind === 'choice' || kind === 'execute')) refuseRest(s, text);
    refuseStatement(s);
  }
  const reached = readAhead(steps, parseExecuted);
  const whole = { kind: 'script', reached, span: { start, end: s.end } };
  refuseDeepTree(whole);
  const last = reached.findLast(({ kind }) => kind !== 'drop_table');
  const created = last?.kind === 'create_table' ? last : undefined;
  const insert = reached.find((one) => one !== created && one.kind === 'create_table' && one.adds);
  if (insert !== undefined) refuseInsert(insert.span);
  refuseForeignDrops(reached);
  const ends = reached.filter((one) => one === created || one.kind === 'result');
  if (ends.length > MOST_RESULTS)
    throw new QuernError('too-complex', `the text has ${ends.length} queries`, { hint: `split it: at most ${MOST_RESULTS} run at once` });
  const scripts = ends.map((end) => scriptOf(end, reached, start));
  const script = scripts.pop();
  if (script === undefined) return refuseEmpty(s, steps);
  return scripts.length === 0 ? script : { ...script, earlier: scripts };
}

/** Returns the script of the query `end`: what was reached before it, and all functions. */
function scriptOf(end: Plain, reached: readonly Plain[], start: number): Script {
  const statements = reached.slice(0, reached.indexOf(end)).filter(isStatement);
  const span = { start: Math.min(start, end.span.start), end: end.span.end };
  const common = { kind: 'script' as const, functions: reached.filter(isFunction), statements, span };
  if (end.kind === 'create_table') return { ...common, creates: end.table.name, query: queryOf(end) };
  if (end.kind !== 'result') throw new RangeError(`${end.kind} has no rows`);
  return { ...common, creates: null, query: end.query };
}

/** Returns the error for a text of which no query is run. */
function refuseEmpty(s: Parser, steps: readonly Step[]): never {
  if (steps.length > 0 && steps.every(({ kind }) => isFunctionKind(kind)))
    return s.fail('a query', 'write SELECT … behind it; a function for all queries is a file in the folder functions of the project');
  if (!steps.some(({ kind }) => kind === 'choice' || kind === 'return')) return refuseStatement(s);
  throw new QuernError('unsupported', 'no query of this text is reached', {
    span: s.span(0),
    hint: 'its conditions lead past all of them: add ELSE with a query',
  });
}

/** Reads the text of an EXECUTE IMMEDIATE: one statement. Its errors are shown in that text. */
function parseExecuted(text: string): Plain {
  try {
    const s = new Parser(text, GRAMMAR);
    const [step, ...more] = parseStep(s);
    if (step === undefined || more.length > 0 || !EXECUTED.has(step.kind))
      throw s.error('EXECUTE IMMEDIATE takes a query, a CREATE or a DROP', 'write other statements outside of it', {
        start: 0,
        end: s.end,
      });
    while (s.take(';'));
    if (s.token.kind !== 'end') s.fail('the end of the text', 'EXECUTE IMMEDIATE runs one statement');
    refuseDeepTree(step);
    return step as Plain; // EXECUTED has no others
  } catch (error) {
    throw error instanceof QuernError ? error.in({ name: 'EXECUTE IMMEDIATE', text }) : error;
  }
}

const EXECUTED: ReadonlySet<string> = new Set<Plain['kind']>([
  'result',
  'create_table',
  'drop_table',
  'create_function',
  'create_table_function',
]);

const isFunctionKind = (kind: string): boolean => kind === 'create_function' || kind === 'create_table_function';
const isFunction = (step: Plain): step is OwnFunction => isFunctionKind(step.kind);
const isStatement = (step: Plain): step is Statement => !isFunction(step) && step.kind !== 'result';

function refuseForeignDrops(statements: readonly Plain[]): void {
  const created = new Set(
    statements.flatMap((one) => (one.kind === 'create_table' && one.adds !== true ? [one.table.name.name.toLowerCase()] : [])),
  );
  for (const one of statements) if (one.kind === 'drop_table' && !created.has(one.name.name.toLowerCase())) refuseForeignDrop(one);
}

/** Reads a query, or the text of one CREATE FUNCTION. Throws as `parseScript` does. */
export const parseText = (text: string): Script | OwnFunction => (isFunctionFile(text) ? parseFunctionFile(text) : parseScript(text));

/** True if the text is a CREATE FUNCTION and no query. Throws as `parseScript` does for a function that cannot be read. */
export function isFunctionFile(text: string): boolean {
  const s = new Parser(text, GRAMMAR);
  if (!s.is('CREATE')) return false;
  const [read, ...more] = parseSteps(s);
  return s.token.kind === 'end' && more.length === 0 && read !== undefined && isFunctionKind(read.kind);
}

/** Reads the text of one CREATE FUNCTION. Throws as `parseScript` does. */
export function parseFunctionFile(text: string): OwnFunction {
  const s = new Parser(text, GRAMMAR);
  const read = s.is('CREATE') ? (parseStep(s)[0] as Plain | undefined) : undefined; // CREATE begins none of the others
  if (read === undefined || !isFunction(read))
    throw s.error('this is not a CREATE FUNCTION', 'write CREATE FUNCTION name(x INT64) AS (x + 1)', { start: 0, end: s.end });
  while (s.take(';'));
  if (s.token.kind !== 'end') s.fail('the end of the function', 'a file holds only one function');
  refuseDeepTree(read);
  return read;
}

/** Returns the rows of a created table, under the names that its list gives to their columns. */
function queryOf({ table }: CreatedTable): Query {
  if (table.columns.length === 0) return table.query;
  const { span } = table;
  const none = { orderBy: [], limit: null, offset: null, pipes: [], recursive: false };
  const from = {
    kind: 'table_name' as const,
    parts: [table.name],
    alias: null,
    withOffset: null,
    forSystemTime: null,
    operators: [],
    span,
  };
  return { kind: 'query', ...none, ctes: [table], body: { kind: 'from', from, span }, span };
}
