// The project file `quern.yaml`: found upwards from the working directory, read with the position of every key.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { QuernError } from '../errors.ts';
import type { SourceText, Span } from '../source-text.ts';
import { withoutVersion } from './file-version.ts';
import type { FileEntry, SettingsFile } from './settings-file.ts';

const FILE_NAME = 'quern.yaml';

/** Path of the nearest `quern.yaml` in `folder` or above it. */
export function findProjectFile(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, FILE_NAME);
    if (existsSync(path)) return path;
    if (dirname(at) === at) return undefined;
  }
}

/** Reads a project file. Throws QuernError `config` when it cannot be read, is not a YAML mapping, or is of a version that is not known. */
export async function readProjectFile(path: string): Promise<SettingsFile> {
  const source: SourceText = { name: path, text: readText(path) };
  const { isMap, isNode, isScalar, parseDocument } = await import('yaml');
  const document = parseDocument(source.text);
  const problem = document.errors[0];
  if (problem !== undefined) {
    throw new QuernError('config', `${FILE_NAME} is not YAML: ${problem.message.split(/ at line \d+|\n/)[0]}`, {
      source,
      span: { start: problem.pos[0], end: problem.pos[1] },
    });
  }
  if (document.contents === null) return { path, source, entries: [] };
  if (!isMap(document.contents)) {
    throw new QuernError('config', `${FILE_NAME} must hold settings, one \`name: value\` per line`, { source, span: { start: 0, end: 0 } });
  }
  const spanOf = (range: readonly number[] | null | undefined): Span => ({ start: range?.[0] ?? 0, end: range?.[1] ?? 0 });
  const entries = document.contents.items.map(({ key, value }): FileEntry => {
    const keySpan = spanOf(isScalar(key) ? key.range : undefined);
    const node = value as { toJS(document: unknown): unknown; range?: readonly number[] | null } | null; // a parsed document's values are nodes
    return {
      key: isScalar(key) ? String(key.value) : '',
      value: node?.toJS(document) ?? null,
      keySpan,
      valueSpan: node === null ? keySpan : spanOf(node.range),
    };
  });
  const spanAt = (keys: readonly string[]): Span | undefined => {
    const node = document.getIn(keys, true);
    return isNode(node) ? spanOf(node.range) : undefined;
  };
  return withoutVersion({ path, source, entries, spanAt });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new QuernError('config', `${path} cannot be read`, { cause, hint: 'check its permissions' });
  }
}
