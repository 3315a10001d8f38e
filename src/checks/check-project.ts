// The checks of a project, with the parts of the program that they take.
import { dirname } from 'node:path';
import type { QueryResult } from '../base/result.ts';
import type { Services } from '../services.ts';
import { type CheckReport, type CheckRequest, checkAll } from './check-all.ts';
import { type History, openHistory } from './history.ts';
import { pastAssertions } from './past.ts';

/** Checks that run at once: the embedded engine shares the machine with whoever asks. */
const JOBS = { embedded: 3, server: 8 } as const;

/** Throws as checkAll does. */
export async function checkProject(
  {
    io,
    signal,
    settings,
    catalog,
    connection,
    running,
  }: Pick<Services, 'io' | 'signal' | 'settings' | 'catalog' | 'connection' | 'running'>,
  request: Omit<CheckRequest, 'jobs'> & { readonly jobs: number | undefined },
): Promise<CheckReport> {
  const [{ projectFile, values }, { remote, place }] = await Promise.all([settings(), connection()]);
  const projectFolder = projectFile === undefined ? io.cwd : dirname(projectFile);
  const history = historyOf(values.cache_dir, io);
  const elapsed = () => performance.now();
  const deps = { catalog: await catalog(), cwd: io.cwd, projectFolder, history, place, running, signal, now: Date.now, elapsed };
  return checkAll({ ...request, jobs: request.jobs ?? (remote ? JOBS.server : JOBS.embedded) }, deps);
}

/** Returns the runs of the project's checks since then, as rows. */
export async function pastOf(
  { io, settings }: Pick<Services, 'io' | 'settings'>,
  request: Parameters<typeof pastAssertions>[1],
): Promise<QueryResult> {
  const { projectFile, values } = await settings();
  const projectFolder = projectFile === undefined ? io.cwd : dirname(projectFile);
  return pastAssertions(historyOf(values.cache_dir, io).runsOf(projectFolder), request);
}

const historyOf = (folder: string, io: Services['io']): History =>
  openHistory(folder, (why) => void io.stderr.write(`note: the check history in ${folder} cannot be written (${why})\n`));
