// Records of short jobs, many in a file: one for each would cost more than the job. The id of a job says in which file it may be, so that every server which
// shares the cache finds it.
import { randomBytes } from 'node:crypto';
import type { RouteParts } from '../../routes/route.ts';

type Parts = Pick<RouteParts, 'pages' | 'paged'>;

/** So long after the first of them has ended. */
const WRITE_AFTER_MS = 100;
/** Servers share no more than 4 MiB at once through Redis. */
const MOST_BYTES = 1024 * 1024;
const ID = /^job_[0-9a-f]{24}_([0-9a-f]{8})_([0-9a-z]+)$/;

export class JobBatches<T extends { readonly reference: { readonly projectId: string; readonly jobId: string } }> {
  readonly #parts: Parts;
  readonly #server = randomBytes(4).toString('hex');
  #number = 0;
  #texts: string[] = [];
  #bytes = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the id of a new job. */
  newId(): string {
    return `job_${randomBytes(12).toString('hex')}_${this.#server}_${this.#number.toString(36)}`;
  }

  /** Takes the record of a job that has ended, to write it with others. Returns false where its file is written already, or would be too large. */
  add(record: T): boolean {
    const [, server, number] = ID.exec(record.reference.jobId) ?? [];
    if (server !== this.#server || number !== this.#number.toString(36)) return false;
    const text = JSON.stringify(record);
    if (this.#bytes + text.length > MOST_BYTES) return false;
    if (this.#texts.length === 0) this.#parts.paged.track(this.#writeSoon());
    this.#texts.push(text);
    this.#bytes += text.length;
    return true;
  }

  /** Returns the record of a job of any server. */
  async read({ projectId, jobId }: Pick<T['reference'], 'projectId' | 'jobId'>): Promise<T | undefined> {
    const [, server = '', number = ''] = ID.exec(jobId) ?? [];
    const text = server === '' ? undefined : await this.#parts.pages.read(keyOf(server, number));
    const records = text === undefined ? [] : (JSON.parse(text.toString()) as readonly T[]); // #writeSoon wrote it
    return records.find(({ reference }) => reference.projectId === projectId && reference.jobId === jobId);
  }

  async #writeSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, WRITE_AFTER_MS));
    const [texts, number] = [this.#texts, this.#number.toString(36)];
    this.#texts = [];
    this.#bytes = 0;
    this.#number++;
    await this.#parts.pages.write(keyOf(this.#server, number), Buffer.from(`[${texts.join(',')}]`));
  }
}

const keyOf = (server: string, number: string): string => `jobs ${server} ${number}`;
