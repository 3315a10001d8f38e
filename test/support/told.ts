// Errors as a user would be told them, for assertions on whole values.
import { QuernError } from '../../src/base/errors.ts';
import { positionAt } from '../../src/base/source-text.ts';

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
