// Reads a file of checks: YAML that lists saved queries with arguments and assertions.
import { readFileSync } from 'node:fs';
import { QuernError } from '../base/errors.ts';
import type { SourceText } from '../base/source-text.ts';
import { isMapping, readSection } from '../fields/value-at.ts';
import { readYaml } from '../fields/yaml.ts';
import type { CheckDefinition } from '../queries/check-definition.ts';
import { readFileChecks } from '../queries/header/checks.ts';

/** `name` is how errors call the file. Throws QuernError `usage` when it cannot be read, `config` with everything that is wrong in it. */
export function readCheckFile(path: string, name: string): readonly CheckDefinition[] {
  const source: SourceText = { name, text: readText(path, name) };
  const section = readYaml(source.text, source, name);
  if (!isMapping(section.value)) {
    throw new QuernError('config', `${name} contains no checks`, { hint: 'start it with `checks:` and a list of queries with assertions' });
  }
  return readSection(section, { what: name }, readFileChecks);
}

function readText(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new QuernError('usage', missing ? `there is no file ${name}` : `${name} cannot be read`, {
      hint: 'name a YAML check file, or a saved query with `checks:` in its header',
      cause,
    });
  }
}
