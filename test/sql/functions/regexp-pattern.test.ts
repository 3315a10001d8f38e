// What is known of constant patterns, and paths into JSON.
import { describe, expect, test } from 'vitest';
import { regexpFacts } from '../../../src/sql/base/regexp-pattern.ts';
import { parseJsonPath } from '../../../src/sql/functions/json/json-path.ts';

const PLAIN = {
  groups: 0,
  broken: false,
  dot: false,
  emptyMatch: false,
  looksBack: false,
  once: false,
  split: null,
  fullCapture: true,
  surelyCaptures: false,
  filled: null,
};

describe('regular expressions', () => {
  test.each([
    ['/rest', PLAIN],
    ['a.b', { ...PLAIN, dot: true }],
    ['a[.]\\.b', PLAIN],
    ['^a', { ...PLAIN, looksBack: true, once: true }],
    ['a$', { ...PLAIN, once: true }],
    ['a*', { ...PLAIN, emptyMatch: true, fullCapture: false, filled: '(?:(?:a)+)' }],
    ['a|b*', { ...PLAIN, emptyMatch: true, fullCapture: false, filled: 'a|(?:(?:b)+)' }],
    ['x{0,2}', { ...PLAIN, emptyMatch: true, fullCapture: false, filled: '(?:(?:x){1,2})' }],
    [
      'a?(b*)',
      {
        ...PLAIN,
        groups: 1,
        split: { before: 'a?', group: '(b*)', after: '' },
        emptyMatch: true,
        fullCapture: false,
        surelyCaptures: true,
        filled: '(?:(?:a))(?:(?:b)*)|(?:(?:(?:b)+))',
      },
    ],
    ['(?:a*)*', { ...PLAIN, emptyMatch: true, fullCapture: false }],
    ['a*?', { ...PLAIN, emptyMatch: true, fullCapture: false, filled: '' }],
    ['id=(\\d+)', { ...PLAIN, surelyCaptures: true, groups: 1, split: { before: 'id=', group: '(\\d+)', after: '' } }],
    [
      'id=(\\d*)x',
      { ...PLAIN, surelyCaptures: true, groups: 1, split: { before: 'id=', group: '(\\d*)', after: 'x' }, fullCapture: false },
    ],
    ['(a)|b', { ...PLAIN, groups: 1, fullCapture: true }],
    ['(?:a|(b))c', { ...PLAIN, groups: 1, fullCapture: true }],
    ['(?P<name>a+)', { ...PLAIN, surelyCaptures: true, groups: 1, split: { before: '', group: '(?P<name>a+)', after: '' } }],
    ['[)(]\\(', PLAIN],
    ['(a', { ...PLAIN, surelyCaptures: true, groups: 1, broken: true, split: { before: '', group: '(a', after: '' } }],
  ])('%s', (pattern, facts) => {
    const { undotted: _, ...found } = regexpFacts(pattern);
    expect(found).toEqual(facts);
  });
});

describe('JSON paths', () => {
  test.each([
    ['$', false, []],
    ['$.a.b[2]', false, ['a', 'b', 2]],
    ['$."a.b"[0]', false, ['a.b', 0]],
    ["$['a.b'][c]", true, ['a.b', 'c']],
    ['a', false, undefined],
    ['$.', false, undefined],
    ['$.a[*]', false, undefined],
    ['lax $.a', false, undefined],
  ])('%s', (path, legacy, steps) => {
    expect(parseJsonPath(path, legacy)).toEqual(steps);
  });
});

describe('dots that match no line feed', () => {
  test.each([
    ['/rest', '/rest'],
    ['^a.*b.$', '^a[^\\n]*b[^\\n]$'],
    ['a[.]\\.b', 'a[.]\\.b'],
    ['\\Q.\\E.', '\\Q.\\E[^\\n]'],
    ['(?i)a.b', null],
    ['(?s:a.)b.', null],
    ['(a.', null],
  ])('%s', (pattern, undotted) => {
    expect(regexpFacts(pattern).undotted).toBe(undotted);
  });
});
