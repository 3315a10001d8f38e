// All functions by name. Families are tables; a name lives in exactly one of them.
import { aggregate } from './aggregate.ts';
import { aggregateArray } from './aggregate-array.ts';
import { approximate } from './approximate.ts';
import { arithmetic } from './arithmetic.ts';
import { array } from './array.ts';
import { assert } from './assert.ts';
import { bucketing } from './bucket.ts';
import { codePoints } from './code-point.ts';
import { conditional } from './conditional.ts';
import { convert } from './convert.ts';
import { date } from './date.ts';
import { datetime } from './datetime.ts';
import type { AnyDefinition, Family, FunctionDefinition } from './define.ts';
import { encoding } from './encoding.ts';
import { extraction } from './extract.ts';
import { format } from './format.ts';
import { formatting } from './format-time.ts';
import { generation } from './generate-time.ts';
import { intervals } from './interval.ts';
import { json } from './json.ts';
import { jsonConvert } from './json-convert.ts';
import { jsonMake } from './json-make.ts';
import { math } from './math.ts';
import { net } from './net.ts';
import { operator } from './operator.ts';
import { parsing } from './parse-time.ts';
import { percentile } from './percentile.ts';
import { regexp } from './regexp.ts';
import { regexpInstr } from './regexp-instr.ts';
import { rounding } from './rounding.ts';
import { statistics } from './statistics.ts';
import { storedTime } from './stored-time.ts';
import { string } from './string.ts';
import { substring } from './substring.ts';
import { time } from './time.ts';
import { timestamp } from './timestamp.ts';
import { trim } from './trim.ts';
import { window } from './window.ts';

const FAMILIES: readonly Family[] = [
  operator,
  assert,
  conditional,
  math,
  arithmetic,
  rounding,
  substring,
  trim,
  encoding,
  convert,
  net,
  jsonConvert,
  format,
  jsonMake,
  regexpInstr,
  codePoints,
  string,
  regexp,
  date,
  datetime,
  time,
  timestamp,
  storedTime,
  extraction,
  formatting,
  parsing,
  intervals,
  bucketing,
  generation,
  array,
  json,
  aggregate,
  aggregateArray,
  approximate,
  percentile,
  statistics,
  window,
];

const byName = new Map<string, AnyDefinition>();
for (const family of FAMILIES) {
  for (const [name, definition] of Object.entries(family)) byName.set(name, { ...definition, name });
}

/** The definition of `name` (upper case, dotted parts joined: `NET.HOST`), or undefined. */
export const findFunction = (name: string): AnyDefinition | undefined => byName.get(name);

/** Names a user can write, for suggestions and the documentation; operators are spelled `$…` and left out. */
export const functionNames = (): readonly string[] => [...byName.keys()].filter((n) => !n.startsWith('$'));

/** An operator or another function the analysis itself calls. */
export function builtIn(name: string): AnyDefinition {
  const definition = byName.get(name);
  if (definition === undefined) throw new RangeError(`no function ${name} in the tables`);
  return definition;
}

/** The same, for what the analysis knows to be no aggregate. */
export function scalarBuiltIn(name: string): FunctionDefinition {
  const definition = builtIn(name);
  if (definition.kind !== 'function') throw new RangeError(`${name} is not a scalar function`);
  return definition;
}
