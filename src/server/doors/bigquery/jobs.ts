// The jobs of callers: under way here, or ended here or on another server that shares the cache's files.
import { LRUCache } from 'lru-cache';
import type { TranslatedColumn } from '../../../sql/translation.ts';
import type { Estimate, PagedResult } from '../../answers/paged-answers.ts';
import { asServerError } from '../../http/failure.ts';
import { errorLine, tellsOfLog } from '../../observe/log.ts';
import type { RouteParts } from '../../routes/route.ts';
import { bigQueryError, type DoorFailure, doorFailure, notFound } from './errors.ts';
import { JobBatches } from './job-batches.ts';
import type { JobConfiguration, WantedJob } from './job-request.ts';
import { ServerLife, THIS_SERVER } from './server-life.ts';

interface JobReference {
  readonly projectId: string;
  readonly jobId: string;
  readonly location: string;
}

/** A job as callers name it. */
type JobName = Omit<JobReference, 'location'> & Partial<JobReference>;

/** What every server knows of a job; plain data. */
export interface JobRecord {
  readonly reference: JobReference;
  /** The key whose job it is: nobody else can see it. */
  readonly owner: string;
  readonly wanted: JobConfiguration;
  readonly createdMs: number;
  readonly endedMs?: number;
  /** Absent while it runs. */
  readonly outcome?: JobOutcome;
  /** The process that runs it. */
  readonly server?: string;
}

export type JobOutcome = JobRows | { readonly failure: DoorFailure };

export interface JobRows {
  readonly result: PagedResult;
  /** The rows are those of an earlier job, as a run would give them. */
  readonly hit: boolean;
}

/** A run without rows, to see what it would cost. */
export interface DryRun {
  readonly columns: readonly TranslatedColumn[];
  readonly estimate: Estimate;
}

interface Job {
  record: JobRecord;
  /** Resolves when it has ended, however it has. */
  readonly ended: Promise<void>;
  readonly stop: AbortController;
  /** Other servers know of it. */
  isShared: boolean;
  /** Resolves when all that is known of it is written, where it is. */
  written: Promise<void>;
}

/** Does the work of a job, once. */
type RunJob = (signal: AbortSignal) => Promise<JobRows>;

interface NewJob {
  readonly wanted: WantedJob;
  readonly owner: string;
  /** The log tells of the job under it. */
  readonly requestId: string;
  readonly run: RunJob;
}

const MOST_JOBS = 10_000;
const MEMORY_BYTES = 16 * 1024 ** 2;
const JOB_BYTES = 1500;
/** A job of another server is looked at so often by who waits for it, and the wish that it ends by the server that runs it. */
const LOOK_MS = 200;
const DAY_MS = 24 * 3600e3;

type JobsParts = Pick<RouteParts, 'pages' | 'paged' | 'clock' | 'log'>;

export class Jobs {
  readonly #parts: JobsParts;
  readonly #batches: JobBatches<JobRecord>;
  readonly #life: ServerLife;
  readonly #running = new Map<string, Job>();
  readonly #ended = new LRUCache<string, JobRecord>({ max: MOST_JOBS, maxSize: MEMORY_BYTES, sizeCalculation: sizeOf });

  constructor(parts: JobsParts) {
    this.#parts = parts;
    this.#batches = new JobBatches(parts);
    this.#life = new ServerLife(parts);
  }

  /** Begins a job. Throws BigQueryError `duplicate` where its id is taken. */
  async begin({ wanted, owner, requestId, run }: NewJob): Promise<Job> {
    const { projectId, jobId = this.#batches.newId(), location, parameters: _, dryRun: __, ...kept } = wanted;
    const reference: JobReference = { projectId, jobId, location };
    const key = keyOf(reference);
    if (wanted.jobId !== undefined && (this.#known(key) ?? (await this.#stored(reference))) !== undefined)
      throw bigQueryError(409, 'duplicate', `Already Exists: Job ${projectId}:${location}.${jobId}`);
    const { timeoutMs } = kept;
    const record: JobRecord = { reference, owner, wanted: kept, createdMs: this.#parts.clock.now(), server: THIS_SERVER };
    const stop = new AbortController();
    const timeout = timeoutMs === undefined ? undefined : this.#parts.clock.after(timeoutMs, () => stop.abort(tooLong(timeoutMs)));
    const work = run(stop.signal).catch((cause: unknown) => {
      const failure = doorFailure(cause, wanted);
      const error = asServerError(cause);
      // The record has only what callers may know.
      if (failure.status === 500 || tellsOfLog(error))
        this.#parts.log.error({ id: requestId, job: jobId, error: errorLine({ error, fault: true }) }, 'job failed');
      return { failure };
    });
    const ended = work.then(async (outcome) => {
      timeout?.();
      job.record = { ...record, outcome, endedMs: this.#parts.clock.now() };
      this.#ended.set(key, job.record);
      this.#running.delete(key);
      const isWrittenLater = !job.isShared && isSmall(outcome) && this.#batches.add(job.record);
      if (!isWrittenLater) await this.#write(job);
    });
    const job: Job = { record, ended, stop, isShared: false, written: Promise.resolve() };
    this.#running.set(key, job);
    this.#parts.paged.track(ended);
    return job;
  }

  /** Makes the job known to other servers, as it is now and when it has ended. */
  async share(job: Job): Promise<void> {
    if (job.isShared) return;
    job.isShared = true;
    if (job.record.outcome === undefined) {
      const { end } = await this.#life.begin();
      void job.ended.then(end);
      void this.#obey(job);
    }
    await this.#write(job);
  }

  /** One after the other, so that the last word stays. */
  #write(job: Job): Promise<void> {
    job.written = job.written.then(() => this.#store(job.record));
    return job.written;
  }

  /** Returns a caller's job as it is now. Throws BigQueryError `notFound`. */
  async find(reference: JobName, owner: string): Promise<JobRecord> {
    const record = this.#known(keyOf(reference)) ?? (await this.#stored(reference));
    const { projectId, jobId, location } = reference;
    if (record?.owner === owner && !this.#isOld(record) && isIn(record.reference, location)) return record;
    throw notFound('Job', `${projectId}:${location === undefined ? '' : `${location}.`}${jobId}`);
  }

  /** Returns the job once it has ended, or as it is after the time. */
  async await(reference: JobName, owner: string, timeoutMs: number): Promise<JobRecord> {
    const found = await this.find(reference, owner);
    const job = this.#running.get(keyOf(reference));
    if (job !== undefined) {
      await withinTime(job.ended, timeoutMs);
      return job.record;
    }
    const untilMs = performance.now() + timeoutMs;
    for (let record = found; ; record = await this.find(reference, owner)) {
      if (record.outcome !== undefined || performance.now() >= untilMs) return record;
      await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_MS, timeoutMs)));
    }
  }

  /** Stops a job when another server has been asked to cancel it. */
  async #obey(job: Job): Promise<void> {
    const { reference, createdMs } = job.record;
    for (; job.record.outcome === undefined; await withinTime(job.ended, LOOK_MS)) {
      const wish = await this.#parts.pages.read(cancelKey(keyOf(reference)));
      // An earlier job may have had the id.
      if (wish?.toString() === String(createdMs)) job.stop.abort(CANCELLED);
    }
  }

  /** Stops a job, which another server may run. */
  async cancel(reference: JobName, owner: string): Promise<JobRecord> {
    const record = await this.find(reference, owner);
    const job = this.#running.get(keyOf(reference));
    if (job === undefined) {
      if (record.outcome !== undefined) return record;
      await this.#parts.pages.write(cancelKey(keyOf(reference)), Buffer.from(String(record.createdMs)));
      return this.await(reference, owner, 2 * LOOK_MS);
    }
    job.stop.abort(CANCELLED);
    await withinTime(job.ended, LOOK_MS);
    return job.record;
  }

  /** Forgets a job that has ended. Throws BigQueryError for one that runs. */
  async remove(reference: JobName, owner: string): Promise<void> {
    const key = keyOf(reference);
    if ((await this.find(reference, owner)).outcome === undefined)
      throw bigQueryError(400, 'invalid', `The job ${reference.projectId}:${reference.jobId} is running: cancel it first`);
    this.#ended.delete(key);
    await this.#parts.pages.write(storedKey(key), Buffer.from(DELETED));
  }

  /** Returns the caller's jobs that this server knows, the newest first. */
  list(projectId: string, owner: string): readonly JobRecord[] {
    const records = [...[...this.#running.values()].map(({ record }) => record), ...this.#ended.values()];
    return records
      .filter((record) => record.owner === owner && record.reference.projectId === projectId && !this.#isOld(record))
      .sort((a, b) => b.createdMs - a.createdMs);
  }

  #known(key: string): JobRecord | undefined {
    return this.#running.get(key)?.record ?? this.#ended.get(key);
  }

  async #stored(reference: JobName): Promise<JobRecord | undefined> {
    const text = await this.#parts.pages.read(storedKey(keyOf(reference)));
    if (text === undefined) return this.#batches.read(reference);
    if (text.toString() === DELETED) return undefined;
    const record = JSON.parse(text.toString()) as JobRecord; // #store wrote it
    const { outcome, server } = record;
    const isLost = outcome === undefined && (server === undefined || (await this.#life.isGone(server)));
    return isLost ? { ...record, outcome: LOST, endedMs: record.createdMs } : record;
  }

  #store(record: JobRecord): Promise<void> {
    return this.#parts.pages.write(storedKey(keyOf(record.reference)), Buffer.from(JSON.stringify(record)));
  }

  #isOld({ createdMs }: JobRecord): boolean {
    return this.#parts.clock.now() - createdMs > DAY_MS;
  }
}

/** In place of the record of a job that is deleted, which may also be in a file with others. */
const DELETED = 'null';

/** Clients try again. */
const LOST: JobOutcome = {
  failure: bigQueryError(503, 'backendError', 'the server that ran the job has stopped before it ended; run the query again').failure,
};

const stopped = (why: string) => bigQueryError(499, 'stopped', `Job execution was cancelled: ${why}`);
const CANCELLED = stopped('User requested cancellation');
const tooLong = (timeoutMs: number) => stopped(`Job timed out after ${timeoutMs / 1000}s`);

/** The first reply has all of it, so that the client need not come again. */
const isSmall = (outcome: JobOutcome): boolean => !('result' in outcome) || outcome.result.only !== undefined;

const keyOf = ({ projectId, jobId }: JobName): string => `${projectId}:${jobId}`;
const storedKey = (key: string): string => `job ${key}`;
const cancelKey = (key: string): string => `cancel ${key}`;

const isIn = (reference: JobReference, location = reference.location): boolean =>
  location.toLowerCase() === reference.location.toLowerCase();

function sizeOf({ wanted, outcome }: JobRecord): number {
  const only = outcome !== undefined && 'result' in outcome ? (outcome.result.only?.length ?? 0) : 0;
  return JOB_BYTES + 2 * (wanted.sql.length + only);
}

/** Waits for the work, but no longer than that. */
export async function withinTime(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  if (timeoutMs <= 0) {
    // What has ended already is seen to have.
    await Promise.race([work, new Promise((resolve) => setImmediate(resolve))]);
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work, pause]).finally(() => clearTimeout(timer));
}
