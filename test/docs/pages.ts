// The pages that people read, and what stands in them: fenced blocks, commands, headings, links.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { cannotRun } from './cannot-run.ts';

export const root = join(import.meta.dirname, '../..');

const texts: readonly string[] = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

/** Paths in the repository. */
export const pages: readonly string[] = [
  ...texts,
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
];

export const pageText = (page: string): string => readFileSync(join(root, page), 'utf8');

export interface Block {
  /** The word behind the fence: `console`, `sh`, `sql`. */
  readonly language: string;
  /** A second word behind the fence: the file that the block shows. */
  readonly file: string | undefined;
  readonly lines: readonly string[];
}

export interface Command {
  readonly text: string;
  /** What the page shows below it; undefined where the page shows commands only. */
  readonly output: readonly string[] | undefined;
}

export function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^```(\w*)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([, language = '', file, body = '']) => ({
    language,
    file,
    lines: body.split('\n').slice(0, -1),
  }));
}

/** The steps of a workflow that run commands, as a block each. */
export function workflowBlocks(page: string): readonly Block[] {
  const { jobs }: { jobs: Record<string, { steps: readonly { run?: string }[] }> } = parse(pageText(page));
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  return steps.flatMap(({ run }) => (run === undefined ? [] : [{ language: 'sh', file: undefined, lines: run.trim().split('\n') }]));
}

/** Of a `console` block the lines behind `$ ` with what follows them, of an `sh` block every line. */
export function commandsOf({ language, lines }: Block): readonly Command[] {
  if (language === 'console') return shown(lines);
  if (language !== 'sh') return [];
  return joined(lines)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((text) => ({ text, output: undefined }));
}

function shown(lines: readonly string[]): readonly Command[] {
  const commands: { text: string; output: string[] }[] = [];
  for (const line of joined(lines)) {
    if (line.startsWith('$ ')) commands.push({ text: line.slice(2), output: [] });
    else commands.at(-1)?.output.push(line);
  }
  return commands;
}

/** A line that ends with a backslash goes on in the next one. */
function joined(lines: readonly string[]): readonly string[] {
  const whole: string[] = [];
  for (const [i, line] of lines.entries()) {
    if (lines[i - 1]?.endsWith('\\') === true) whole.push(`${whole.pop()}\n${line}`);
    else whole.push(line);
  }
  return whole;
}

/** What of a block's commands can be run here. */
export function runnable(block: Block): readonly Command[] {
  const commands = commandsOf(block);
  const matches = ({ text }: Command, ofBlock: boolean): boolean =>
    cannotRun.some(({ command, block: whole = false }) => whole === ofBlock && command.test(text));
  const end = commands.findIndex((command) => matches(command, true));
  return commands.slice(0, end === -1 ? undefined : end).filter((command) => !matches(command, false));
}

/** The text without its fenced blocks. */
export const prose = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');
