// Whether anybody answers at an address, before the engine asks there: it would wait for minutes, try by try and question by question, for a server that takes
// connections and says nothing.
import { QuernError } from '../../base/errors.ts';

/** For the connection, its encryption, and the first byte of an answer. */
const DEADLINE_MS = 5000;
/** What was found out holds for so long. */
const HOLDS_MS = 30_000;

interface Found {
  readonly atMs: number;
  readonly answers: Promise<boolean>;
}

/** By origin: one deadline for all who ask there. */
const found = new Map<string, Found>();

/** Throws QuernError `engine` where nobody answers. Any answer will do: what is wrong with it, the engine says. */
export async function assertAnswering(address: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  // By way of a proxy the engine gets there, and this process does not.
  if (PROXIES.some((name) => (env[name] ?? '') !== '')) return;
  const { origin } = new URL(address);
  let known = found.get(origin);
  if (known === undefined || performance.now() - known.atMs > HOLDS_MS) {
    known = { atMs: performance.now(), answers: isAnswering(origin) };
    found.set(origin, known);
  }
  if (!(await known.answers)) throw new QuernError('engine', `no answer within ${DEADLINE_MS / 1000} s`);
}

const PROXIES = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

/** Nothing is told to the other side but that somebody asks; whether it is who it says it is, the engine checks. */
async function isAnswering(origin: string): Promise<boolean> {
  const { request } = origin.startsWith('https:') ? await import('node:https') : await import('node:http');
  return new Promise((resolve) => {
    const asking = request(`${origin}/`, { method: 'HEAD', rejectUnauthorized: false, agent: false });
    const timer = setTimeout(() => end(false), DEADLINE_MS);
    const end = (answers: boolean): void => {
      clearTimeout(timer);
      asking.destroy();
      resolve(answers);
    };
    asking.on('response', () => end(true));
    asking.on('error', () => end(true)); // a refusal is an answer
    asking.end();
  });
}
