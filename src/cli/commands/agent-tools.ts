// The tools of agents, for `quern mcp` and for the process that uses the store in its place.
import { Readable } from 'node:stream';
import { type ErrorCode, QuernError } from '../../base/errors.ts';
import type { Io } from '../../base/io.ts';
import { globalSettings } from '../../config/flags.ts';
import type { ToolCall } from '../../mcp/elsewhere.ts';
import { projectToolbox } from '../../mcp/project-toolbox.ts';
import type { Toolbox } from '../../mcp/toolbox.ts';
import type { ErrorBody } from '../../output/error-body.ts';
import { scopeCovers } from '../../server/keys/key.ts';
import type { Services } from '../../services.ts';
import { HandedOver } from '../hand-over/commands.ts';
import { handOver } from '../hand-over/hand-over.ts';
import { repeatableInput } from '../hand-over/input.ts';
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
  const stdin = Object.assign(Readable.from([Buffer.from(JSON.stringify({ call, offer }))]), { isTTY: false });
  const world: Io = {
    stdin,
    stdout: captured(out),
    stderr: captured(err),
    env: io.env,
    cwd: io.cwd,
    peakMemoryBytes: () => io.peakMemoryBytes(),
    onInterrupt: () => () => undefined,
    onHangUp: () => () => undefined,
  };
  const argv = [...flagsOf(flags()), '--quiet', '--json-errors', '__agent', '-'];
  try {
    const ignored = { note: async () => undefined, onUnsure: () => undefined };
    await handOver({ argv, io: world, input: repeatableInput(() => stdin), isChange: false, store, signal, ...ignored });
    return undefined;
  } catch (error) {
    if (!(error instanceof HandedOver)) throw error;
    if (error.exitCode === 0) return JSON.parse(Buffer.concat(out).toString()) as { readonly result: unknown }; // as __agent prints it
    throw errorIn(Buffer.concat(err).toString());
  }
}

const captured = (chunks: Buffer[]): Io['stdout'] => ({
  isTerminal: false,
  columns: undefined,
  write: async (data) => void chunks.push(Buffer.from(data)),
});

/** The flags as they were given, but for the store, which the order names. */
function flagsOf(given: ReturnType<Parts['flags']>): readonly string[] {
  return globalSettings.flatMap(({ flag, value }) => {
    const found = given[flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (flag === 'store' || value === undefined || found === undefined) return [];
    return (Array.isArray(found) ? found : [found]).flatMap((one) => [`--${flag}`, String(one)]);
  });
}

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
