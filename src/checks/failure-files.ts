// Writes the rows that break an assertion into a file of their own.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { QuernError } from '../base/errors.ts';
import { makeFolder } from '../files/make-folder.ts';
import { writeFileAtomically } from '../output/file.ts';
import { loadFormat } from '../output/index.ts';
import type { AssertionDefinition } from '../queries/check-definition.ts';
import type { Check } from './check.ts';
import type { AssertionOutcome, CheckOutcome } from './outcome.ts';

export type FailureFormat = 'csv' | 'ndjson';

/** Files below `folder`, whose names tell the assertions of `checks` apart. Throws `usage` when the folder cannot be made. */
export function failureFiles(folder: string, format: FailureFormat, checks: readonly Check[]) {
  const names = fileNames(checks);
  try {
    makeFolder(folder);
  } catch (cause) {
    throw new QuernError('usage', `the folder ${folder} cannot be created`, { hint: 'choose another with --failures-dir', cause });
  }
  const write = async (outcome: AssertionOutcome): Promise<AssertionOutcome> => {
    const { assertion, sample, state } = outcome;
    const file = join(folder, `${names.get(assertion) ?? slug(assertion.name)}.${format}`);
    if (sample === undefined) {
      if (state !== 'unknown') await rm(file, { force: true });
      return outcome;
    }
    await writeFileAtomically(file, (await loadFormat(format))(sample, { width: undefined, colour: false }), { flag: '--failures-dir' });
    return { ...outcome, file };
  };
  return {
    /** Writes the failing rows, and takes away what an earlier run has left where there are none now. */
    async write(outcome: CheckOutcome) {
      const assertions: AssertionOutcome[] = [];
      for (const one of outcome.assertions) assertions.push(await write(one));
      return { ...outcome, assertions };
    },
  };
}

/** A name is the same whatever else is checked, so that a later run finds the file of an earlier one. */
function fileNames(checks: readonly Check[]): ReadonlyMap<AssertionDefinition, string> {
  const names = new Map<AssertionDefinition, string>();
  const taken = new Set<string>();
  for (const { query, arguments: given, assertions } of checks) {
    for (const assertion of assertions) {
      const identity = JSON.stringify([query.name, given, assertion.name]);
      const name = `${slug(query.name)}--${slug(assertion.name)}--${createHash('sha256').update(identity).digest('hex').slice(0, 6)}`;
      let unique = name;
      for (let n = 2; taken.has(unique); n++) unique = `${name}-${n}`;
      taken.add(unique);
      names.set(assertion, unique);
    }
  }
  return names;
}

const LONGEST = 80;

/** Safe as a part of a file's name everywhere; some file systems take capitals for small letters. */
function slug(text: string): string {
  const safe = text.toLowerCase().replace(/[^a-z0-9._]+/g, '-');
  return safe.slice(0, LONGEST).replace(/^[-.]+|-+$/g, '') || 'assertion';
}
