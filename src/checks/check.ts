// A check that is ready to be planned: a saved query, its arguments, and what must hold of its rows.
import { relative, resolve } from 'node:path';
import { type Problem, QuernError } from '../base/errors.ts';
import { positionAt } from '../base/source-text.ts';
import type { AssertionDefinition, Place } from '../queries/check-definition.ts';
import type { SavedQuery } from '../queries/saved-query.ts';

export interface Check {
  readonly query: SavedQuery;
  /** As given. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly assertions: readonly AssertionDefinition[];
  readonly place: Place;
}

/** `checks/usage.yaml:7`; the file as people in the folder `cwd` know it, if that is given. */
export function placeText({ source, span }: Place, { cwd, root }: { readonly cwd?: string; readonly root?: string } = {}): string {
  const file = cwd === undefined ? source.name : shortPath(source.name, cwd, root);
  return `${file}:${positionAt(source.text, span.start).line}`;
}

/** As people know a file: from the folder they are in, if it is below; or from `root`, as who looks at the repository knows it. */
export function shortPath(path: string, cwd: string, root = cwd): string {
  const short = relative(root, resolve(cwd, path));
  return short.startsWith('..') ? path : short;
}

/** The error with the place it is about, unless it has one. */
export function errorAt(error: QuernError, place: Place): QuernError {
  if (error.details.source !== undefined) return error;
  return new QuernError(error.code, error.message, { ...error.details, ...place });
}

/** Makes one error of everything that is wrong with checks. A fault of a saved query is listed once, however many checks meet it. */
export function allErrors(found: readonly QuernError[]): QuernError {
  const identity = ({ message, details }: QuernError) => JSON.stringify([message, details.source?.name, details.span, details.problems]);
  const errors = [...new Map(found.map((error) => [identity(error), error])).values()].sort(byPlace);
  const [first, second] = errors;
  if (first === undefined) throw new RangeError('an error needs a problem');
  if (second === undefined) return first;
  const problems = errors.flatMap((error): readonly Problem[] => {
    const { source, span, hint, problems: inner = [] } = error.details;
    const kind = source === undefined || span === undefined ? 'checks' : placeText({ source, span });
    const texts = inner.length === 0 ? [] : inner.map(({ name, message }) => `${name} ${message}`);
    return [{ kind, name: error.code, message: [error.message, ...texts, hint ?? []].flat().join('; ') }];
  });
  const { source, span } = first.details;
  const place = source === undefined || span === undefined ? {} : { source, span };
  return new QuernError('config', `the checks have ${errors.length} errors; none were run`, { ...place, problems });
}

function byPlace({ details: a }: QuernError, { details: b }: QuernError): number {
  const [first = '', second = ''] = [a.source?.name, b.source?.name];
  if (first === second) return (a.span?.start ?? 0) - (b.span?.start ?? 0);
  return first < second ? -1 : 1;
}

/** Errors that no other check would fare better with. */
export const isFatal = ({ code }: QuernError): boolean => code === 'unreachable' || code === 'interrupted' || code === 'internal';
