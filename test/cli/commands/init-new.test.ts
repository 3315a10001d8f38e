// quern init and quern new: what they write runs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';
import { ndjson } from './events.ts';

const home = cliHome();
beforeAll(async () => {
  home.write('events.ndjson', ndjson);
  expect((await home.run(['load', 'edge_logs', 'events.ndjson'])).exitCode).toBe(0);
});
afterAll(() => home.remove());

describe('quern init', () => {
  test('writes a project whose sample query runs, and says what to do next', async () => {
    expect(await home.run(['init'])).toEqual({
      stdout: 'quern.yaml\nquern.schema.json\nqueries/events-per-hour.sql\n',
      stderr: 'next: fill the store with `quern load`, then quern run events-per-hour --project NAME; another query: quern new NAME\n',
      exitCode: 0,
    });
    const { stdout, exitCode } = await home.run(['run', 'events-per-hour', '--project', 'demo', '--format', 'csv']);
    expect([stdout.split('\n')[0], exitCode]).toEqual(['hour,events', 0]);
  });

  test('never writes over a file unless told to, and then nothing at all', async () => {
    const before = readFileSync(join(home.folder, 'queries/events-per-hour.sql'), 'utf8');
    expect(await home.run(['init'])).toEqual({
      stdout: '',
      stderr:
        'error[usage]: quern.yaml, quern.schema.json, queries/events-per-hour.sql are already there\n   = hint: nothing was written; --force writes over what is there\n',
      exitCode: 2,
    });
    home.write('half/quern.schema.json', '{}');
    expect((await home.run(['init', 'half'])).stderr.split('\n')[0]).toBe('error[usage]: quern.schema.json is already there');
    expect(readdirSync(join(home.folder, 'half'))).toEqual(['quern.schema.json']);
    expect((await home.run(['init', '--force'])).exitCode).toBe(0);
    expect(readFileSync(join(home.folder, 'queries/events-per-hour.sql'), 'utf8')).not.toBe(before); // a UUID of its own
  });
});

describe('quern new', () => {
  test('writes a query with a UUID of its own that runs', async () => {
    const { stdout, stderr } = await home.run(['new', 'sign.ups', '--description', 'Sign-ups: "all" of them']);
    expect([stdout, stderr]).toEqual([
      'queries/sign.ups.sql\n',
      'next: edit it, then quern lint queries/sign.ups.sql and quern run sign.ups --project NAME\n',
    ]);
    const { stdout: listed } = await home.run(['list', '--format', 'json']);
    const rows: { name: string; id: string; description: string }[] = JSON.parse(listed).result;
    expect(rows.find(({ name }) => name === 'sign.ups')?.description).toBe('Sign-ups: "all" of them');
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect((await home.run(['run', 'sign.ups', '--project', 'demo'])).exitCode).toBe(0);
  });

  test('makes the folder that the settings name', async () => {
    expect(await home.run(['new', 'first', '--queries', join(home.folder, 'to-come')])).toMatchObject({
      stdout: 'to-come/first.sql\n',
      exitCode: 0,
    });
  });

  test.each([
    [
      ['new', 'sign.ups'],
      /^error\[usage\]: there is a saved query sign\.ups already: .*sign\.ups\.sql\n {3}= hint: choose another name\n$/,
    ],
    [['new', 'logs.all'], /^error\[usage\]: there is a saved query logs\.all already: /],
    [['new', '../x'], /^error\[usage\]: "\.\.\/x" cannot be the name of a saved query\n {3}= hint: use letters, digits, dots, - and _\n$/],
    [['new', 'x.sql'], /hint: write it without \.sql: x\n$/],
  ])('%j is refused', async (argv, stderr) => {
    const answer = await home.run(argv);
    expect(answer.stderr).toMatch(stderr);
    expect([answer.stdout, answer.exitCode]).toEqual(['', 2]);
  });
});
