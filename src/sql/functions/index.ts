// All functions by name. Families are tables; a name lives in exactly one of them.
import { aggregate } from './aggregate/aggregate.ts';
import { aggregateArray } from './aggregate/aggregate-array.ts';
import { approximate } from './aggregate/approximate.ts';
import { hyperloglog } from './aggregate/hyperloglog.ts';
import { kll } from './aggregate/kll.ts';
import { percentile } from './aggregate/percentile.ts';
import { statistics } from './aggregate/statistics.ts';
import { window } from './aggregate/window.ts';
import { arithmetic } from './arithmetic.ts';
import { array } from './array.ts';
import { assert } from './assert.ts';
import { conditional } from './conditional.ts';
import { convert } from './convert.ts';
import type { AnyDefinition, Family, FunctionDefinition } from './define.ts';
import { geography } from './geography/geography.ts';
import { heldTo } from './held-to.ts';
import { json } from './json/json.ts';
import { jsonChange } from './json/json-change.ts';
import { jsonConvert } from './json/json-convert.ts';
import { jsonEdit } from './json/json-edit.ts';
import { jsonKeys } from './json/json-keys.ts';
import { jsonLax } from './json/json-lax.ts';
import { jsonMake } from './json/json-make.ts';
import { math } from './math.ts';
import { operator } from './operator.ts';
import { rounding } from './rounding.ts';
import { storedValue } from './stored-value.ts';
import { codePoints } from './text/code-point.ts';
import { encoding } from './text/encoding.ts';
import { format } from './text/format.ts';
import { net } from './text/net.ts';
import { regexp } from './text/regexp.ts';
import { regexpInstr } from './text/regexp-instr.ts';
import { searching } from './text/search.ts';
import { string } from './text/string.ts';
import { substring } from './text/substring.ts';
import { trim } from './text/trim.ts';
import { bucketing } from './time/bucket.ts';
import { date } from './time/date.ts';
import { datetime } from './time/datetime.ts';
import { extraction } from './time/extract.ts';
import { formatting } from './time/format-time.ts';
import { generation } from './time/generate-time.ts';
import { intervals } from './time/interval.ts';
import { parsing } from './time/parse-time.ts';
import { storedTime } from './time/stored-time.ts';
import { time } from './time/time.ts';
import { timestamp } from './time/timestamp.ts';

/** Families whose functions most queries call stand first: a table is made when a name is in none of those before it. */
const FAMILIES: readonly (() => Family)[] = [
  operator,
  conditional,
  aggregate,
  timestamp,
  string,
  generation,
  date,
  arithmetic,
  array,
  storedTime,
  storedValue,
  assert,
  heldTo,
  extraction,
  intervals,
  regexp,
  json,
  datetime,
  window,
  formatting,
  approximate,
  aggregateArray,
  substring,
  trim,
  rounding,
  math,
  parsing,
  time,
  convert,
  bucketing,
  jsonConvert,
  format,
  encoding,
  statistics,
  percentile,
  net,
  searching,
  codePoints,
  regexpInstr,
  jsonMake,
  jsonChange,
  jsonEdit,
  jsonKeys,
  jsonLax,
  hyperloglog,
  kll,
  geography,
];

const byName = new Map<string, AnyDefinition>();
let made = 0;

/** Makes the next family; false when there is none. */
function makeNext(): boolean {
  const family = FAMILIES[made++];
  for (const [name, definition] of Object.entries(family?.() ?? {})) byName.set(name, { ...definition, name });
  return family !== undefined;
}

/** The definition of `name` (upper case, dotted parts joined: `NET.HOST`), or undefined. */
export function findFunction(name: string): AnyDefinition | undefined {
  let found = byName.get(name);
  while (found === undefined && makeNext()) found = byName.get(name);
  return found;
}

/** Names a user can write, for suggestions and the documentation; operators are spelled `$…` and left out. */
export function functionNames(): readonly string[] {
  while (makeNext());
  return [...byName.keys()].filter((name) => !name.startsWith('$'));
}

/** An operator or another function the analysis itself calls. */
export function builtIn(name: string): AnyDefinition {
  const definition = findFunction(name);
  if (definition === undefined) throw new RangeError(`no function ${name} in the tables`);
  return definition;
}

/** The same, for what the analysis knows to be no aggregate. */
export function scalarBuiltIn(name: string): FunctionDefinition {
  const definition = builtIn(name);
  if (definition.kind !== 'function') throw new RangeError(`${name} is not a scalar function`);
  return definition;
}
