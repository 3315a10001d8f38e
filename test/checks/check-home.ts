// A home with saved queries to check, and a store with a few events.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { byMethod, ndjson } from '../cli/commands/events.ts';
import { type CliOptions, type CliResult, cliHome } from '../support/run-cli.ts';

export const AS_OF = ['--as-of', '2026-01-15T12:00:00Z'];

export const header = (digits: string, fields: string) => `/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab${digits}\n${fields}\n---*/\n`;

/** Four rows by default, six at most. */
export const numbers = (checks: string) =>
  `${header('20', `max_rows: 6\nparams:\n  top: { type: integer, default: 4 }\nchecks:\n${checks}`)}create temp function half(x int64) as (div(x, 2));
select n, half(n) as h, if(n = 3, null, 'w') as word from unnest(generate_array(1, @top)) as n order by n desc -- newest first`;

export interface CheckHome {
  readonly folder: string;
  run(argv: readonly string[], options?: CliOptions): Promise<CliResult>;
  write(name: string, text: string): void;
  /** `quern check`, without the times in the summary of its report. */
  check(argv: readonly string[]): Promise<{ readonly report: string; readonly stderr: string; readonly exitCode: number }>;
}

/** Made for the tests of a file. */
export function checkHome(): CheckHome {
  const home = cliHome();
  const write = (name: string, text: string) => writeFileSync(join(home.folder, home.write(name, text)), text);
  beforeAll(async () => {
    write('quern.yaml', 'queries: [mine]\nstore: store\n');
    write('mine/by-method.sql', byMethod);
    write(
      'mine/numbers.sql',
      numbers(`  - max(n) = @top
  - params: { top: 9 }
    assertions:
      - count(*) = 6 and min(n) = 4
      - h = div(n, 2)
      - n in (select 10 - i from unnest([1, 2, 3, 4, 5, 6]) as i)`),
    );
    write('draft.sql', 'select n from unnest([1, 2]) as n');
    await home.run(['load', 'edge_logs', '-'], { stdin: ndjson });
  });
  afterAll(() => home.remove());
  return {
    folder: home.folder,
    run: home.run,
    write,
    async check(argv) {
      const { stdout, stderr, exitCode } = await home.run(['check', ...argv]);
      return { report: stdout.replace(/ \([\d.]+ s, as of [^)]*\)/, ''), stderr, exitCode };
    },
  };
}
