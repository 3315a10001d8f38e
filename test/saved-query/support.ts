// Folders of saved queries for tests.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { QuernError } from '../../src/errors.ts';
import { positionAt } from '../../src/source-text.ts';

/** A folder holding `files` by relative name; removed when the test ends. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'quern-queries-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Different digits make different UUIDs. */
export const uuid = (digit: number): string => `4c1f0000-0000-4000-8000-${String(digit).padStart(12, '0')}`;

/** A file with a header; `fields` are lines of YAML. */
export function queryText(digit: number, sql: string, ...fields: readonly string[]): string {
  return ['/*---', `id: ${uuid(digit)}`, ...fields, '---*/', sql, ''].join('\n');
}

/** What a user would be told: the message, its place, the hint and the problems; generated UUIDs are replaced. */
export function told(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof QuernError)) throw error;
  const { span, source, hint, problems } = error.details;
  const place = span === undefined || source === undefined ? undefined : positionAt(source.text, span.start);
  return {
    code: error.code,
    message: error.message,
    ...(place === undefined ? {} : { at: `${place.line}:${place.column}` }),
    ...(hint === undefined ? {} : { hint: hint.replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>') }),
    ...(problems === undefined ? {} : { problems: problems.map((problem) => `${problem.kind} | ${problem.name} | ${problem.message}`) }),
  };
}

/** What `action` throws, as a user would be told. */
export function failure(action: () => unknown): Readonly<Record<string, unknown>> {
  try {
    action();
  } catch (error) {
    return told(error);
  }
  throw new Error('nothing was thrown');
}

export async function failureOf(promise: Promise<unknown>): Promise<Readonly<Record<string, unknown>>> {
  return promise.then(
    () => {
      throw new Error('nothing was thrown');
    },
    (error: unknown) => told(error),
  );
}
