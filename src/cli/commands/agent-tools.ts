// The tools of agents, for `quern mcp` and for the process that uses the store in its place.
import { type ErrorCode, QuernError } from '../../base/errors.ts';
import type { Io } from '../../base/io.ts';
import { camelCase, type GlobalFlags, globalSettings } from '../../config/flags.ts';
import type { ToolCall } from '../../mcp/elsewhere.ts';
import { projectToolbox } from '../../mcp/project-toolbox.ts';
import type { Toolbox } from '../../mcp/toolbox.ts';
import type { ErrorBody } from '../../output/error-body.ts';
import { scopeCovers } from '../../server/keys/key.ts';
import type { Services } from '../../services.ts';
import { doElsewhere, wordsOf } from '../hand-over/elsewhere.ts';
import type { Parts } from '../parts.ts';

/** What the user lets agents do. */
export interface Offer {
  /** Patterns of names; absent: all saved queries. */
  readonly scope?: readonly string[] | undefined;
  readonly allowSql: boolean;
  readonly pins: Readonly<Record<string, string>>;
}

export function toolboxOf({ scope, allowSql, pins }: Offer, using: <T>(work: (services: Services) => Promise<T>) => Promise<T>): Toolbox {
  const covers = (query: string): boolean => scope === undefined || scope.some((pattern) => scopeCovers(pattern, query));
  const list = async (services: Services) => {
    const { sourcesOf } = await import('../../connection/list-sources.ts');
    return sourcesOf(await services.connection(), { refresh: false });
  };
  return projectToolbox(using, { covers, list, allowSql, pins });
}

/** Sends a call to the process that uses the store; undefined where none does any more. Throws the QuernError of the call. */
export async function callElsewhere(
  store: string,
  sent: { readonly call: ToolCall; readonly offer: Offer; readonly signal: AbortSignal },
  { io, flags }: Pick<Parts, 'io' | 'flags'>,
): Promise<{ readonly result: unknown } | undefined> {
  const { call, offer, signal } = sent;
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const argv = ['__agent', '-', '--quiet', '--json-errors', ...wordsOf(settingsAmong(flags()))];
  const text = JSON.stringify({ call, offer });
  const exitCode = await doElsewhere({ argv, text, io, outputs: { stdout: captured(out), stderr: captured(err) }, store, signal });
  if (exitCode === undefined) return undefined;
  if (exitCode === 0) return JSON.parse(Buffer.concat(out).toString()) as { readonly result: unknown }; // as __agent prints it
  throw errorIn(Buffer.concat(err).toString());
}

const captured = (chunks: Buffer[]): Io['stdout'] => ({
  isTerminal: false,
  columns: undefined,
  write: async (data) => void chunks.push(Buffer.from(data)),
});

const settingsAmong = (given: GlobalFlags): GlobalFlags =>
  Object.fromEntries(Object.entries(given).filter(([name]) => globalSettings.some(({ flag }) => camelCase(flag) === name)));

/** The error that the other process has printed. */
function errorIn(text: string): QuernError {
  const last = text.trim().split('\n').at(-1) ?? '';
  try {
    const { code, message, position, ...details } = (JSON.parse(last) as ErrorBody).error;
    const place = position === undefined ? [] : [`at ${position.line}:${position.column} of ${position.file}`];
    return new QuernError(code as ErrorCode, message, { ...details, notes: [...place, ...(details.notes ?? [])] });
  } catch {
    return new QuernError('unreachable', 'the process that uses the store did not answer', { hint: 'try again' });
  }
}
