// The SQL as a text to paste where nothing can be set or bound: into an editor of a product whose queries run with ClickHouse's own settings, and which reads
// and prints the text before that. It has no settings, no names in WITH but of tables, no tuples' positions, no backslashes, and it is as short as if
// written by hand.

import { printedNodes } from '../../base/size.ts';
import type { SqlExpression, Statement } from '../ast.ts';
import { withElementCalls } from '../bare-columns.ts';
import { array, call, lambda, lit } from '../build.ts';
import { asCheck, asFunc } from '../checks.ts';
import { briefBody, helperOf, helpersIn } from '../helpers.ts';
import { printStatement } from '../print.ts';
import { rebuilt } from '../rewrite.ts';
import { withoutAllNames } from '../single-names.ts';
import { EMPTY_NOTE, withEmptyValues } from './absent.ts';
import { withShortConditions } from './conditions.ts';
import { holdsNullTuple, withDefaultSettings, withWideTimes } from './defaults.ts';
import { withKeys, withKeysApart } from './keys.ts';
import { withoutArrayJoins } from './lists.ts';
import { withPlainTexts } from './literals.ts';
import { type ColumnsOf, withShortNames } from './names.ts';
import { withRecords } from './records.ts';
import { withPlainResults, withShortForms } from './shorter.ts';

interface Portable {
  readonly statement: Statement;
  /** What BigQuery does and the text does not. */
  readonly notes: readonly string[];
  /** It would fail: ClickHouse's own settings know no NULL of a struct. */
  readonly hasNullStruct: boolean;
}

interface PortableOptions {
  readonly columnsOf: ColumnsOf;
  /** Makes names that neither the query nor its tables have. */
  readonly fresh: (base: string) => string;
  /** What is read of an event that lacks it. */
  readonly absent: 'null' | 'empty';
}

export function portable(statement: Statement, { columnsOf, fresh, absent }: PortableOptions): Portable {
  const notes = new Set<string>(absent === 'empty' ? [EMPTY_NOTE] : []);
  const checked = withRecords(withoutAllNames(statement), notes);
  for (const name of helpersIn(checked)) {
    const note = helperOf(name)?.brief?.note;
    if (note !== undefined) notes.add(note);
  }
  const plain = withoutChecks(absent === 'empty' ? withEmptyValues(checked) : checked, notes);
  const called = withShortConditions(withShortForms(withKeysApart(plain)));
  const short = withWideTimes(withKeys(withShortForms(withoutHelpers(called, notes))), notes);
  const named = withShortNames(withPlainResults(withoutArrayJoins(short, fresh)), columnsOf);
  return {
    statement: withElementCalls(withPlainTexts(withDefaultSettings(named))),
    notes: [...notes],
    hasNullStruct: holdsNullTuple(named),
  };
}

/** Prints such a statement. A column that is called timestamp needs no quotes where no text follows its name. */
export const printPortable = (statement: Statement): string =>
  printStatement(statement)
    .split(/('(?:[^']|'')*')/)
    .map((part) => (part.startsWith("'") ? part : part.replaceAll('`timestamp`', 'timestamp')))
    .join('');

/** Leaves out checks of rows, whatever they look for; those that always fail stay, since somebody wants them to. */
function withoutChecks<T extends object>(tree: T, notes: Set<string>): T {
  return rebuilt(tree, (node) => {
    const check = asCheck(node);
    if (check === undefined || check.value === null || check.rows === 'constant' || check.condition.kind === 'lit') return node;
    notes.add(`${check.message}: BigQuery fails there, and this text does not`);
    return check.value;
  });
}

/** Writes the bodies of helpers where they are called. What a body repeats and is long comes in as the one element of an array. */
function withoutHelpers<T extends object>(tree: T, notes: Set<string>): T {
  return rebuilt(tree, (node) => {
    const func = asFunc(node);
    const helper = helperOf(func?.name ?? '');
    if (func === undefined || helper === undefined) return node;
    const written = withoutChecks(withoutHelpers(briefBody(helper), notes), notes);
    const uses = new Map<string, number>();
    eachUse(written, (name) => uses.set(name, (uses.get(name) ?? 0) + 1));
    const values = new Map(helper.parameters.map((parameter, i) => [parameter, func.args[i] as SqlExpression] as const));
    const long = [...values].filter(([name, value]) => (uses.get(name) ?? 0) > 1 && printedNodes(value) > FEW);
    for (const [name] of long) values.delete(name);
    const filled = rebuilt(written, (part) => {
      const parts = 'kind' in part && part.kind === 'ident' && 'parts' in part ? (part.parts as readonly string[]) : []; // of an identifier
      return (parts.length === 1 ? values.get(parts[0] ?? '') : undefined) ?? part;
    });
    if (long.length === 0) return filled;
    const names = long.map(([name]) => name);
    return call('arrayElement', call('arrayMap', lambda(names, filled), ...long.map(([, value]) => array(value))), lit(1));
  });
}

/** Nodes up to which a value may stand twice. */
const FEW = 3;

function eachUse(tree: object, visit: (name: string) => void): void {
  const parts = 'kind' in tree && tree.kind === 'ident' && 'parts' in tree ? (tree.parts as readonly string[]) : undefined;
  if (parts !== undefined) visit(parts.length === 1 ? (parts[0] ?? '') : '');
  else for (const part of Object.values(tree)) if (typeof part === 'object' && part !== null) eachUse(part, visit);
}
