// The checks of a project, with the parts of the program that they take.
import { dirname } from 'node:path';
import type { Services } from '../services.ts';
import { type CheckReport, type CheckRequest, checkAll } from './check-all.ts';

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
  const [{ projectFile }, { remote }] = await Promise.all([settings(), connection()]);
  const projectFolder = projectFile === undefined ? io.cwd : dirname(projectFile);
  const elapsed = () => performance.now();
  const deps = { catalog: await catalog(), cwd: io.cwd, projectFolder, running, signal, now: Date.now, elapsed };
  return checkAll({ ...request, jobs: request.jobs ?? (remote ? JOBS.server : JOBS.embedded) }, deps);
}
