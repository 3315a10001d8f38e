// What is known of a function stands on its definition: a list of functions elsewhere would have to be thought of with every new one.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SCALAR_TYPES } from '../../../src/sql/base/types.ts';
import { findFunction } from '../../../src/sql/functions/index.ts';
import { RESERVED_FUNCTIONS } from '../../../src/sql/syntax/keywords.ts';

/** The rooms that are given functions as parts of a plan. */
const ROOMS = ['analyzer', 'logical', 'layouts', 'optimizer', 'lower', 'target'];
const SQL = new URL('../../../src/sql/', import.meta.url);

const isFunction = (name: string): boolean => findFunction(name) !== undefined && !RESERVED_FUNCTIONS.has(name) && !(name in SCALAR_TYPES);

/** Lists and tables of texts in a program that name two functions or more, as they are written. */
function listsIn(program: string): readonly string[] {
  const bracketed = [...program.matchAll(/\[\s*'[^']*'(?:,\s*'[^']*')+,?\s*\]/g)].map(([list]) => list);
  const listed = bracketed.filter((list) => [...list.matchAll(/'([^'\n]*)'/g)].filter(([, text = '']) => isFunction(text)).length > 1);
  const keys = [...program.matchAll(/^ +'?([$\w]+)'?: .*,$/gm)].map(([, key = '']) => key).filter(isFunction);
  return keys.length > 1 ? [...listed, keys.join(', ')] : listed;
}

test('a list is found however it is written', () => {
  expect(
    listsIn("const A = new Set(['LAG', 'LEAD']);\nconst B = [\n  '$less',\n  '$greater',\n];\nnames.includes(['LAG', 'other', 'DATE']);"),
  ).toEqual(["['LAG', 'LEAD']", "[\n  '$less',\n  '$greater',\n]"]);
  expect(listsIn("const T = {\n  $less: '$greater',\n  $greater: '$less',\n};")).toEqual(['$less, $greater']);
});

test('no list of functions stands outside of functions/', () => {
  const files = ROOMS.flatMap((room) =>
    readdirSync(new URL(room, SQL), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${room}/${file}`),
  );
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) => listsIn(readFileSync(new URL(file, SQL), 'utf8')).map((list) => `${file}: ${list}`));
  expect(found).toEqual([]);
});
