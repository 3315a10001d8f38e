// Common mistakes in YAML, told in words that need no knowledge of its grammar.
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { yamlProblem } from '../src/base/yaml-problem.ts';

test.each([
  ['a: [1\nb: 2\n', 'a list in [ ] is not closed'],
  ['a: {x: 1\nb: 2\n', 'a mapping in { } is not closed'],
  ['a: "x\nb: 2\n', 'a text that begins with " is not closed'],
  ["a: 'x\n", "a text that begins with ' is not closed"],
  ['a: 1\na: 2\n', 'this name is given twice'],
  ['a:\n\tb: 1\n', 'this line is indented with a tab'],
  ['description: Requests: by area\n', 'this line has a second colon, or is indented too far'],
  ['a: 1\n  b: 2\n', 'this line has a second colon, or is indented too far'],
  ['a:\n  - x\n - y\n', 'this item is not indented like the one above it'],
  ['a: x\n b\nc\n', 'this line has no colon'],
  ['key\nother: 1\n', 'this line has no colon'],
  ['x: `a`\n', 'a text cannot begin with `'],
  ['x: %a\n', 'a text cannot begin with %'],
  ['a: 1\n---\nb: 2\n', 'a second document begins here'],
  ['a: "\\q"\n', '\\q is not an escape of a text in double quotes'],
  ['a: | x\n', 'Not a YAML token'],
])('%j', (text, what) => {
  expect(yamlProblem(parseDocument(text).errors[0]?.message ?? '').what).toBe(what);
});
