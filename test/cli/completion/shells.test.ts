// The completion scripts, sourced in the real shells, with the built command behind them.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const home = mkdtempSync(join(tmpdir(), 'quern-completion-'));
const env = { PATH: `${join(home, 'bin')}:${process.env['PATH']}`, HOME: home, TERM: 'dumb' };
const has = (shell: string) => spawnSync('which', [shell]).status === 0;

const query = `/*---
id: 2b6e2c6a-40e5-4a53-9b6f-1b4e0a3b2c11
params:
  kind: { type: string, enum: ["two words", "it's", "a$b", 'say "hi"', "a:b", "$(touch pwned)", "back\`tick"] }
  iso_start: { type: timestamp, required: true, description: from when }
---*/
select @kind, @iso_start
`;

beforeAll(() => {
  if (!existsSync(join(root, 'dist/cli.cjs')))
    spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--no-types'], { stdio: 'inherit' });
  mkdirSync(join(home, 'bin'));
  mkdirSync(join(home, 'my queries'));
  writeFileSync(join(home, 'bin/quern'), `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/quern.js')}' "$@"\n`);
  chmodSync(join(home, 'bin/quern'), 0o755);
  writeFileSync(join(home, 'my queries/my.report.sql'), query);
  writeFileSync(join(home, 'quern.yaml'), 'queries: my queries\nprofiles:\n  prod: {}\n  staging: {}\n');
});
afterAll(() => {
  expect(existsSync(join(home, 'pwned'))).toBe(false);
  rmSync(home, { recursive: true, force: true });
});

/** Runs a script of a shell; gives the lines it prints. */
function lines(shell: string, ...argv: string[]): readonly string[] {
  const { stdout, stderr } = spawnSync(shell, argv, { cwd: home, env, encoding: 'utf8', timeout: 30_000 });
  expect(stderr).toBe('');
  return stdout.split('\n').slice(0, -1);
}

describe('bash', () => {
  const complete = (...words: string[]) => {
    const script =
      'source <(quern completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quern; printf "%s\\n" "@{COMPREPLY[@]}"'.replace(
        '@{',
        '${',
      );
    return lines('bash', '-c', script, 'bash', ...words);
  };

  test('completes commands, saved queries, flags and their values', () => {
    expect(complete('quern', 'tra')).toEqual(['translate']);
    expect(complete('quern', 'run', 'my')).toEqual(['my.report', 'my queries']);
    expect(complete('quern', 'run', 'my.report', '--ki')).toEqual(['--kind']);
    expect(complete('quern', 'run', 'x', '--format', '=', 'par')).toEqual(['parquet']);
    expect(complete('quern', '--profile', '')).toEqual(['prod', 'staging']);
    expect(complete('quern', 'run', 'my queries/')).toEqual(['my queries/my.report.sql']);
    expect(complete('quern', 'run', 'qu')).toEqual(['']); // quern.yaml is no query
    expect(complete('quern', 'check', '--reporter', 'ju')).toEqual(['junit']);
    expect(complete('quern', 'config', 'set', 'csv_formulas', '')).toEqual(['keep', 'escape']);
    expect(complete('quern', 'load', 'function_e')).toEqual(['function_edge_logs']);
  });

  test('quotes values so that the shell reads them as they are', () => {
    expect(complete('quern', 'run', 'my.report', '--kind', '')).toEqual([
      'two\\ words',
      "it\\'s",
      'a\\$b',
      'say\\ \\"hi\\"',
      'a:b',
      '\\$\\(touch\\ pwned\\)',
      'back\\`tick',
    ]);
    expect(complete('quern', 'run', 'my.report', '--kind', '"')).toEqual([
      'two words',
      "it's",
      'a\\$b',
      'say \\"hi\\"',
      'a:b',
      '\\$(touch pwned)',
      'back\\`tick',
    ]);
  });

  test('completes behind = and :, where bash cuts words', () => {
    expect(complete('quern', 'run', 'my.report', '--kind', '=', 'tw')).toEqual(['two\\ words']);
    expect(complete('quern', 'run', 'my.report', '--kind', 'a', ':')).toEqual(['b']);
  });

  test('evaluates nothing of what is typed', () => {
    expect(complete('quern', 'run', '$(touch pwned)', '`touch pwned`')).toEqual(['']);
  });
});

describe.skipIf(!has('zsh'))('zsh', () => {
  /** What stands on the command line of an interactive zsh after the key; the line is then read as words, and these printed. */
  const complete = (typed: string) => {
    const script = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1= ; autoload -Uz compinit; compinit -D; source <(quern completion zsh)'
zpty -w shell 'shown() { local -a words=(\${(Q)\${(z)BUFFER}}); print -rl -- "" BEG""IN $words EN""D }; finish() { zle complete-word; shown }'
zpty -w shell 'zle -N finish; bindkey "^X" finish; print REA""DY'
zpty -r -m shell seen '*READY*'
zpty -n -w shell "$1"$'\\C-x'
zpty -r -m shell seen '*BEGIN*END*'
print -r -- \${seen#*BEGIN}
zpty -d shell`;
    const output = lines('zsh', '-f', '-c', script, 'zsh', typed).map((line) => line.replace(/\r/g, ''));
    return output.slice(1, output.indexOf('END'));
  };

  test('completes queries and values, quoted so that zsh reads them as they are', () => {
    expect(complete('quern run us')).toEqual(['quern', 'run', 'usage.api-counts']);
    expect(complete('quern run my.report --kind tw')).toEqual(['quern', 'run', 'my.report', '--kind', 'two words']);
    expect(complete('quern run my.report --kind=it')).toEqual(['quern', 'run', 'my.report', "--kind=it's"]);
    expect(complete(String.raw`quern run my.report --kind \$`)).toEqual(['quern', 'run', 'my.report', '--kind', '$(touch pwned)']);
  });
});

describe.skipIf(!has('fish'))('fish', () => {
  const complete = (line: string) => lines('fish', '-c', `quern completion fish | source; complete -C ${fishQuoted(line)}`);

  test('completes commands, saved queries, flags and their values, with what they mean', () => {
    expect(complete('quern tra')).toEqual(['translate\ttranslate any BigQuery query to ClickHouse SQL']);
    expect(complete('quern run us')).toEqual(['usage.api-counts']);
    expect(complete('quern run my.report --iso')).toEqual(['--iso-start\tfrom when (required)']);
    expect(complete('quern run my.report --kind=t')).toEqual(['--kind=two words']);
    expect(complete("quern run my.report --kind 'it")).toEqual(["it's"]);
    expect(complete('quern --store "my q')).toEqual(['my queries/\tDirectory']);
  });

  test('evaluates nothing of what is typed', () => {
    expect(complete("quern run '$(touch pwned)' --ki")).toEqual([]);
  });
});

const fishQuoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
