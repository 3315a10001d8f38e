// Whether the server that runs a job still does: one that died has left jobs that would never end.
import { randomBytes } from 'node:crypto';
import { HERE, isAlive } from '../../../files/lock-file.ts';
import type { RouteParts } from '../../routes/route.ts';

type Parts = Pick<RouteParts, 'pages' | 'clock'>;

/** Tells this process from an earlier one with the same number. */
const MARK = randomBytes(8).toString('hex');
/** The process that runs a job, as its record names it. */
export const THIS_SERVER = `${HERE} ${process.pid} ${MARK}`;

/** So often a server says that it is there, while jobs run. */
const SIGN_MS = 15_000;
/** A server that has been silent for so long runs nothing; clocks of machines may differ. */
const SILENT_MS = 60_000;

export class ServerLife {
  readonly #parts: Parts;
  #running = 0;
  #signedMs = Number.NEGATIVE_INFINITY;
  #stop: (() => void) | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Begins to say that this server is there; resolves when others can know. `end` is called when the job has ended. */
  async begin(): Promise<{ readonly end: () => void }> {
    this.#running++;
    const end = (): void => {
      this.#running--;
      if (this.#running === 0) this.#stop?.();
    };
    if (this.#parts.clock.now() - this.#signedMs >= SIGN_MS) await this.#sign();
    return { end };
  }

  /** Returns whether the process of a record has ended. */
  async isGone(server: string): Promise<boolean> {
    const [host, pid, mark] = server.split(' ');
    if (mark === MARK) return false;
    // A process of this machine is known by its number, which that of a new one may be.
    if (host === HERE && (Number(pid) === process.pid || !isAlive(Number(pid)))) return true;
    const sign = await this.#parts.pages.read(keyOf(server));
    return sign === undefined || this.#parts.clock.now() - Number(sign.toString()) > SILENT_MS;
  }

  async #sign(): Promise<void> {
    const { pages, clock } = this.#parts;
    this.#signedMs = clock.now();
    this.#stop?.();
    this.#stop = clock.after(SIGN_MS, () => {
      if (this.#running > 0) void this.#sign();
    });
    await pages.write(keyOf(THIS_SERVER), Buffer.from(String(this.#signedMs)));
  }
}

const keyOf = (server: string): string => `server ${server}`;
