// Limits hold wherever they are given, behind every door: a query that would go on is stopped, whoever asks for it and however. Two files share the cases.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openQuern, QuernError } from '../../../src/index.ts';
import { cliHome } from '../../support/run-cli.ts';
import { serveCli } from '../../support/serve-cli.ts';

const home = cliHome();
const EVENTS = Array.from({ length: 50 }, (_, i) => `{"id":"${i}","timestamp":"2026-01-01T00:00:00Z","event_message":"x"}\n`).join('');

interface Limit {
  /** Its name in files. */
  readonly setting: 'timeout' | 'max_memory' | 'max_scan' | 'max_result_bytes';
  readonly value: string;
  /** A query that goes beyond. */
  readonly select: string;
  /** What is said then. */
  readonly message: RegExp;
}

const LIMITS: readonly Limit[] = [
  {
    setting: 'timeout',
    value: '50ms',
    select:
      'select count(*) as n from unnest(generate_array(1, 100000)) as a cross join unnest(generate_array(1, 1000000)) as b where mod(a * b, 7) = 9',
    message: /took longer than/,
  },
  {
    setting: 'max_memory',
    value: '20MB',
    select:
      'select array_length(array_agg(a * b)) as n from unnest(generate_array(1, 1000)) as a cross join unnest(generate_array(1, 10000)) as b',
    message: /needs more memory than/,
  },
  { setting: 'max_scan', value: '20', select: 'select count(distinct id) as n from edge_logs', message: /reads more rows than 20/ },
  {
    setting: 'max_result_bytes',
    value: '100kB',
    select: "select id, (select string_agg(repeat('x', 1000), '') from unnest(generate_array(1, 20))) as n from edge_logs",
    message: /the result is larger than 100KB/,
  },
];

/** Writes the limit where it is given; flags and variables are for whoever calls. */
type Place = 'flag' | 'environment' | 'quern.yaml' | 'header';
const PLACES: readonly Place[] = ['flag', 'environment', 'quern.yaml', 'header'];

interface Given {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function give({ setting, value, select }: Limit, place: Place): Given {
  const header = place === 'header' ? `${setting}: ${value}\n` : '';
  home.write('queries/long.sql', `/*---\nid: 3c1d1f0e-5b1a-4c39-9d7f-0f6f6a2b7c11\ncache: 1h\n${header}---*/\n${select}`);
  home.write('quern.yaml', `queries: queries\n${place === 'quern.yaml' ? `${setting}: ${value}\n` : ''}`);
  return {
    flags: place === 'flag' ? [`--${setting.replaceAll('_', '-')}`, value] : [],
    env: place === 'environment' ? { [`QUERN_${setting.toUpperCase()}`]: value } : {},
  };
}

/** What a door says when the limit stops the query. */
type Door = (given: Given) => Promise<string>;

const cli =
  (...argv: readonly string[]): Door =>
  async ({ flags, env }) => {
    const { stdout, stderr, exitCode } = await home.run([...argv, ...flags], { env });
    return exitCode === 0 ? `not stopped: ${stdout}` : stderr + stdout;
  };

const DOORS: Readonly<Record<string, Door>> = {
  run: cli('run', 'long'),
  'run --no-cache': cli('run', 'long', '--no-cache'),
  'run --output rows.parquet': cli('run', 'long', '--output', 'rows.parquet'),
  'run --output rows.csv': cli('run', 'long', '--no-cache', '--output', 'rows.csv'),
  check: cli('check', 'checks.yaml'),
  verify: cli('verify', 'long', '--expected', 'expected.json'),
  'cache warm': cli('cache', 'warm', 'long'),
  async serve({ flags, env }) {
    const server = await serveCli(home, ['--no-auth', '--log-level', 'silent', ...flags], { env });
    try {
      const reply = await fetch(`${server.address}/api/endpoints/long`);
      return reply.ok ? `not stopped: ${await reply.text()}` : await reply.text();
    } finally {
      await server.stop();
    }
  },
};

/** A case that is `first` meets each limit at each door once, and gives it in each place in turn: a fourth of all cases. */
const isFirst = (limit: number, place: number, door: number): boolean => (limit + place + door) % PLACES.length === 0;

export function limitsHold(which: 'first' | 'others'): void {
  beforeAll(async () => {
    await home.run(['load', 'edge_logs', '-'], { stdin: EVENTS });
    home.write('checks.yaml', 'checks:\n  - query: long\n    assertions:\n      - n is null\n');
    home.write('expected.json', '[{"n": 1}]');
  });
  afterAll(() => home.remove());

  const cases = LIMITS.flatMap((limit, i) =>
    PLACES.flatMap((place, j) =>
      Object.entries(DOORS)
        .filter((_, k) => isFirst(i, j, k) === (which === 'first'))
        .map(([name, door]) => ({ setting: limit.setting, place, name, door, limit })),
    ),
  );
  test.each(cases)('$setting given by $place stops $name', async ({ limit, place, door }) => {
    expect(await door(give(limit, place))).toMatch(limit.message);
  });
}

export function limitsHoldInTheLibrary(): void {
  const cases = LIMITS.flatMap((limit) => PLACES.map((place) => ({ setting: limit.setting, place, limit })));
  test.each(cases)('$setting given by $place stops the library', async ({ limit, place }) => {
    const { env } = give(limit, place);
    const { setting, value } = limit;
    const option = setting.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    for (const [name, text] of Object.entries({ ...env, HOME: home.folder })) vi.stubEnv(name, text);
    const folder = process.cwd();
    process.chdir(home.folder);
    const quern = openQuern(place === 'flag' ? { [option]: value } : {});
    try {
      const outcome = await quern.run('long').catch((error: unknown) => error);
      expect(outcome).toBeInstanceOf(QuernError);
      expect(String(outcome)).toMatch(limit.message);
    } finally {
      await quern.close();
      process.chdir(folder);
      vi.unstubAllEnvs();
    }
  });
}
