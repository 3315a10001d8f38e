// Which names: and sources: an import proposes: no two tables become one.
import { describe, expect, test } from 'vitest';
import { proposeNames } from '../../src/migrate/source-proposal.ts';

const propose = (tables: readonly string[], server = false, ruled: readonly string[] = []) =>
  proposeNames(tables, {
    server,
    isReserved: (name) => name === 'edge_logs',
    resolved: ['r.known.x'],
    exists: (name) => name === 'there_x' || name === 'there_y',
    begins: (prefix) => prefix === 'events_',
    isRuled: (name) => ruled.includes(name),
  });

describe('for the embedded store', () => {
  test.each([
    [['p.d.a', 'p.d.b'], { 'p.d.*': '{3}' }],
    [['p.d.a', 'p.e.b'], { 'p.d.*': '{3}', 'p.e.*': '{3}' }],
    [['p.d.a', 'p.e.a'], { 'p.*.*': '{2}_{3}' }],
    [['p.d.a', 'q.d.a'], { 'p.*.*': '{1}_{2}_{3}', 'q.*.*': '{1}_{2}_{3}' }],
    [['p.d.edge_logs'], { 'p.*.*': '{2}_{3}' }],
    [['d.a'], { 'd.*': '{2}' }],
    [['d.a', 'p.d.a'], { 'd.*': '{1}_{2}', 'p.*.*': '{1}_{2}_{3}' }],
    [['p.d.events_*', 'p.d.a'], { 'p.d.*': '{3}' }],
    [['r.known.y', 'r.d.a', 'q.d.a'], { 'r.known.y': '{1}_{2}_{3}', 'r.d.*': '{1}_{2}_{3}', 'q.*.*': '{1}_{2}_{3}' }],
    [['p.there.x', 'p.there.y', 'p.e.b'], { 'p.*.*': '{2}_{3}' }],
    [['a', 'p.d.INFORMATION_SCHEMA.TABLES', 'odd name.d.a', 'p.d.w_*'], {}],
  ])('%j: %j', (tables, names) => {
    expect(propose(tables)).toMatchObject({ names, sources: {} });
  });
});

describe('for a server', () => {
  test.each([
    [['p.d.a', 'p.e.a', 'p.e.w_*'], { 'p.*.*': '{2}.{3}' }],
    [['p.d.a', 'q.d.a'], { 'p.*.*': '{1}_{2}.{3}', 'q.*.*': '{1}_{2}.{3}' }],
    [['d.a'], { 'd.*': '{1}.{2}' }],
  ])('%j: %j', (tables, names) => {
    expect(propose(tables, true)).toMatchObject({ names, sources: {}, wildcards: [] });
  });

  test('a name without dots is a table of the default database', () => {
    expect(propose(['a'], true)).toMatchObject({ names: {}, sources: { a: 'a' }, becomes: { a: 'a' } });
  });
});

test('what a rule leads somewhere already is not proposed again', () => {
  expect(propose(['p.d.a'], true, ['p.d.a'])).toEqual({ names: {}, sources: {}, becomes: {}, wildcards: [] });
});
