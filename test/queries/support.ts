// Folders of saved queries for tests.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

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
