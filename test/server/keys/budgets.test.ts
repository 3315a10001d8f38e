// Budgets of keys: what runs cost in an hour, counted together by servers that share a folder, and told in replies, metrics and commands.
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { budgetsLeft, createBudgets } from '../../../src/server/keys/budgets.ts';
import { openSpending, readSpent } from '../../../src/server/keys/spending.ts';
import { folderOf } from '../../queries/support.ts';
import { testClock } from '../answers/answers-support.ts';
import { eventsEngine, expectError, served } from '../server-support.ts';

const engine = eventsEngine();
const KEY = { id: 'aaaaaaaa', maxScanPerHour: 100, maxTimePerHour: 10 };

function ledger(folder = folderOf({}), clock = testClock()) {
  const notes: string[] = [];
  const spending = openSpending({ folder, clock, onNote: (note) => notes.push(note) });
  return { folder, clock, notes, spending, budgets: createBudgets(spending, clock.now) };
}

describe('what is left', () => {
  test('comes back as the minutes pass in which it was spent', () => {
    const { clock, spending, budgets } = ledger();
    const left = () => budgets.left(KEY).map((budget) => [budget.name, budget.left, budget.moreInSeconds]);
    expect(left()).toEqual([
      ['rows', 100, 0],
      ['seconds', 10, 0],
    ]);
    spending.add(KEY.id, { rows: 60, ms: 2500 });
    clock.advance(600);
    spending.add(KEY.id, { rows: 70, ms: 500 });
    const [rows, seconds] = left();
    expect(rows?.slice(0, 2)).toEqual(['rows', 0]);
    expect(seconds?.slice(0, 2)).toEqual(['seconds', 7]);
    // The first 60 go within the hour after they were spent: 49 to 50 minutes from now.
    expect(rows?.[2]).toBeGreaterThan(49 * 60);
    expect(rows?.[2]).toBeLessThanOrEqual(50 * 60);
    clock.advance(Number(rows?.[2]));
    expect(left()).toEqual([
      ['rows', 30, 600],
      ['seconds', 9, 600],
    ]);
    clock.advance(3600);
    expect(left().map(([, all]) => all)).toEqual([100, 10]);
  });

  test('is nothing to a key without bounds', () => {
    const { budgets, spending } = ledger();
    budgets.charge([{ id: 'bbbbbbbb' }], { rows: 1e9, ms: 1e9 });
    expect(spending.spent('bbbbbbbb').size).toBe(0);
    expect(budgets.left({ id: 'bbbbbbbb' })).toEqual([]);
  });

  test('is shared evenly by those who wanted a run, and one who can pay is enough', () => {
    const { budgets } = ledger();
    const other = { id: 'cccccccc', maxScanPerHour: 1000 };
    budgets.charge([KEY, other], { rows: 240, ms: 0 });
    expect(budgets.left(KEY).map(({ left }) => left)).toEqual([0, 10]);
    expect(budgets.left(other).map(({ left }) => left)).toEqual([880]);
    expect(() => budgets.assertAny([KEY])).toThrow('the API key has used up its hourly budget: 100 rows read');
    expect(() => budgets.assertAny([KEY, other])).not.toThrow();
  });

  test('says when there will be more, also where one run has cost more than an hour may', () => {
    const minute = 1000;
    const [rows] = budgetsLeft({ id: 'x', maxScanPerHour: 10 }, new Map([[minute, { rows: 1e6, ms: 0 }]]), minute * 60_000);
    expect(rows).toEqual({ name: 'rows', most: 10, left: 0, moreInSeconds: 3600 });
  });
});

describe('servers that share a folder', () => {
  test('count together, and go on counting after one has ended', async () => {
    const one = ledger();
    const two = ledger(one.folder, one.clock);
    one.spending.add(KEY.id, { rows: 30, ms: 1000 });
    two.spending.add(KEY.id, { rows: 20, ms: 1000 });
    await one.spending.close();
    one.clock.advance(2);
    expect(two.budgets.left(KEY).map(({ left }) => left)).toEqual([50, 8]);
    await two.spending.close();
    const next = ledger(one.folder, one.clock);
    expect(next.budgets.left(KEY).map(({ left }) => left)).toEqual([50, 8]);
    expect([...readSpent(one.folder, KEY.id, one.clock.now()).values()]).toEqual([{ rows: 50, ms: 2000 }]);
    expect([one.notes, two.notes, next.notes]).toEqual([[], [], []]);
  });

  test('pass over files that are damaged or newer, and take away those of hours ago', async () => {
    const { folder, clock, budgets } = ledger();
    writeFileSync(join(folder, '1-a.spent.json'), '{"version":1,"keys":{"aaaaaaaa":[["x"]]}');
    writeFileSync(join(folder, '1-b.spent.json'), '{"version":2,"keys":{"aaaaaaaa":[[1,2,3]]}}');
    writeFileSync(join(folder, '1-c.spent.json'), 'null');
    const long = join(folder, '1-d.spent.json');
    writeFileSync(long, '{"version":1,"keys":{}}');
    utimesSync(long, (clock.now() - 2 * 3_600_000) / 1000, (clock.now() - 2 * 3_600_000) / 1000);
    expect(budgets.left(KEY).map(({ left }) => left)).toEqual([100, 10]);
    await expect.poll(() => readdirSync(folder).includes('1-d.spent.json')).toBe(false);
  });

  test('count for themselves where the folder cannot be used, and say so once', async () => {
    const folder = folderOf({ file: '' });
    const { clock, spending, budgets, notes } = ledger(join(folder, 'file'));
    spending.add(KEY.id, { rows: 30, ms: 0 });
    clock.advance(5);
    spending.add(KEY.id, { rows: 30, ms: 0 });
    await spending.close();
    expect(budgets.left(KEY)[0]?.left).toBe(40);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^key budgets cannot be shared with other servers: /);
  });
});

describe('a server', () => {
  const budgeted = (rights: object) => served(engine(), { key: { scopes: ['*'], ...rights } });
  const SERIES = '/api/endpoints/series';

  test('refuses runs of a key that has read all it may, tells when to come again, and still gives what is cached', async () => {
    const { ask } = await budgeted({ maxScanPerHour: 5 });
    const first = await ask('/api/endpoints/ids?area=rest');
    expect([first.statusCode, first.headers['x-cache']]).toEqual([200, 'miss']);
    expect(first.headers['ratelimit-policy']).toBe('"rows";q=5;w=3600;qu="rows"');
    expect(first.headers['ratelimit']).toMatch(/^"rows";r=0;t=\d+$/);
    const refused = await ask('/api/endpoints/ids?area=auth');
    const { message, hint } = expectError(refused, 429, 'budget');
    expect(message).toBe('the API key has used up its hourly budget: 5 rows read');
    expect(hint).toMatch(/^try again in \d+ s; cached results are still served$/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    expect(refused.headers['ratelimit']).toMatch(/^"rows";r=0;t=\d+$/);
    expect((await ask('/api/endpoints/ids?area=rest')).headers['x-cache']).toBe('hit');
    const { body } = await ask('/metrics');
    expect(body).toContain('quern_key_budget_left_rows{key="test"} 0');
  });

  test('counts the time of runs, also of those that fail', async () => {
    const { ask, clock, engine: state } = await budgeted({ maxTimePerHour: 60, rate: { count: 100, perSeconds: 60 } });
    state.state = 'held';
    const held = ask(`${SERIES}?rows=3`);
    await expect.poll(async () => (await ask('/metrics')).body.includes('quern_engine_queries_running 1')).toBe(true);
    clock.advance(61);
    state.state = 'up';
    const reply = await held;
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['ratelimit-policy']).toBe('"requests";q=100;w=60, "seconds";q=60;w=3600;qu="seconds"');
    expect(reply.headers['ratelimit']).toMatch(/^"requests";r=\d+;t=\d+, "seconds";r=0;t=\d+$/);
    expect(expectError(await ask(`${SERIES}?rows=3`), 429, 'budget').message).toBe(
      "the API key has used up its hourly budget: 1m of the engine's time",
    );
    clock.advance(3600);
    expect((await ask(`${SERIES}?rows=3`)).statusCode).toBe(200);
  });

  test('says nothing of bounds to keys that have none', async () => {
    const { ask } = await budgeted({});
    const { headers } = await ask(SERIES);
    expect([headers['ratelimit'], headers['ratelimit-policy']]).toEqual([undefined, undefined]);
  });

  test('takes a key of the console from the console only', async () => {
    const { ask } = await budgeted({ role: 'console' });
    expect(expectError(await ask(SERIES), 403, 'forbidden').message).toBe('this API key works in the web console only');
    expectError(await ask('/openapi.json'), 403, 'forbidden');
    expect((await ask(SERIES, { headers: { 'x-quern-console': '1' } })).statusCode).toBe(200);
  });
});
