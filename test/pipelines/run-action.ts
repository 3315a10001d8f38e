// Runs the shell steps of the composite action as a runner of GitHub Actions would: expressions, files for outputs, variables and paths.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

export const root = resolve(import.meta.dirname, '../..');

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export const action: Action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));

export interface ActionRun {
  readonly output: string;
  /** Of the step that failed; 0 where none did. */
  readonly exitCode: number;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** What npm was asked to do. */
  readonly installed: string;
}

/** `folder` is the checkout; what a runner has beside it is made in `temp`. */
export function runAction(given: Readonly<Record<string, string>>, folder: string, temp: string): ActionRun {
  const file = (name: string): string => join(temp, name);
  for (const name of ['bin', 'home']) mkdirSync(file(name), { recursive: true });
  for (const name of ['output', 'path', 'env', 'summary', 'npm']) writeFileSync(file(name), '');
  // The network is not part of this test: what is installed is the quern at hand.
  writeFileSync(
    file('bin/npm'),
    `#!/bin/bash\necho "$*" >> '${file('npm')}'\nmkdir -p "$RUNNER_TEMP/quern/bin"\nln -sf '${join(root, 'bin/quern.js')}' "$RUNNER_TEMP/quern/bin/quern"\n`,
  );
  chmodSync(file('bin/npm'), 0o755);
  const inputs = { ...Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default])), ...given };
  const steps: Record<string, Record<string, string>> = {};
  const evaluated = (text: string): string =>
    text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => String(evaluate(expression, inputs, steps)));
  const environment: Record<string, string> = {
    HOME: file('home'),
    PATH: `${file('bin')}:${process.env['PATH']}`,
    RUNNER_TEMP: temp,
    GITHUB_ACTION_PATH: root,
    GITHUB_OUTPUT: file('output'),
    GITHUB_PATH: file('path'),
    GITHUB_ENV: file('env'),
    GITHUB_STEP_SUMMARY: file('summary'),
  };
  const lines = (name: string): readonly string[] =>
    readFileSync(file(name), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  let output = '';
  let exitCode = 0;
  for (const step of action.runs.steps) {
    if (step.run === undefined || (step.if !== undefined && evaluated(step.if) !== 'true')) continue;
    writeFileSync(file('output'), '');
    const { stdout, stderr, status } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: resolve(folder, evaluated(step['working-directory'] ?? '.')),
      env: { ...environment, ...Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, evaluated(text)])) },
      encoding: 'utf8',
    });
    output += stdout + stderr;
    if (step.id !== undefined) steps[step.id] = Object.fromEntries(lines('output').map(pair));
    environment['PATH'] = [...lines('path'), environment['PATH']].join(':');
    Object.assign(environment, Object.fromEntries(lines('env').map(pair)));
    exitCode = status ?? -1;
    if (exitCode !== 0) break;
  }
  // A step that did not come to run has set nothing.
  const ran = exitCode === 0 || 'check' in steps;
  const outputs = Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, ran ? evaluated(value) : '']));
  return {
    output,
    exitCode,
    outputs,
    summary: existsSync(file('summary')) ? readFileSync(file('summary'), 'utf8') : '',
    installed: lines('npm').join('\n'),
  };
}

const pair = (line: string): readonly [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)];

/** Of the forms that the action uses: a name, `name == 'text'`, and `… && 'a' || 'b'`. */
function evaluate(
  expression: string,
  inputs: Readonly<Record<string, string>>,
  steps: Readonly<Record<string, Readonly<Record<string, string>>>>,
): unknown {
  const [, condition, yes, no] = /^(.+?) && '(.*?)' \|\| '(.*?)'$/.exec(expression) ?? [];
  if (condition !== undefined) return evaluate(condition, inputs, steps) === true ? yes : no;
  const [, left, operator, right] = /^(\S+) (==|!=) '(.*)'$/.exec(expression) ?? [];
  if (left !== undefined) return (evaluate(left, inputs, steps) === right) === (operator === '==');
  const [, input] = /^inputs\.([\w-]+)$/.exec(expression) ?? [];
  if (input !== undefined && input in inputs) return inputs[input];
  const [, id = '', name = ''] = /^steps\.(\w+)\.outputs\.(\w+)$/.exec(expression) ?? [];
  const found = steps[id]?.[name];
  if (found === undefined) throw new Error(`the action reads ${expression}, which nothing sets`);
  return found;
}
