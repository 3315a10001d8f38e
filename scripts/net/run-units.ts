// Works through the units of the suites in processes: an engine is one to a process, and texts share nothing but the translator.
import { fork } from 'node:child_process';
import type { Line } from './line.ts';
import { SUITES } from './suites/index.ts';

interface Unit {
  readonly suite: string;
  readonly unit: string;
}

interface Reply {
  readonly lines: readonly Line[];
  readonly processorSeconds: number;
}

interface Ran {
  /** By suite, sorted; none of a suite without units. */
  readonly lines: ReadonlyMap<string, readonly Line[]>;
  readonly processorSeconds: number;
}

export async function runUnits(units: readonly Unit[], jobs: number): Promise<Ran> {
  const queue = [...units];
  const found = new Map<string, Line[]>();
  const times = await Promise.all(
    Array.from({ length: Math.min(jobs, units.length) }, () =>
      workThrough(queue, ({ suite }, lines) => {
        found.set(suite, [...(found.get(suite) ?? []), ...lines]);
      }),
    ),
  );
  const own = process.cpuUsage();
  return {
    lines: new Map([...found].map(([suite, lines]) => [suite, distinct(lines)])),
    processorSeconds: times.reduce((sum, seconds) => sum + seconds, (own.user + own.system) / 1e6),
  };
}

/** Sorted by id. A text that is there twice has two lines where it becomes two things. */
function distinct(lines: readonly Line[]): readonly Line[] {
  const sorted = [...lines].sort((a, b) => compareTexts(a.id, b.id) || compareTexts(a.outcome, b.outcome));
  const kept: Line[] = [];
  const times = new Map<string, number>();
  let last: Line | undefined;
  for (const line of sorted) {
    if (last?.id === line.id && last.outcome === line.outcome) continue;
    last = line;
    const time = (times.get(line.id) ?? 0) + 1;
    times.set(line.id, time);
    kept.push(time === 1 ? line : { ...line, id: `${line.id}.${time}` });
  }
  return kept;
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Hands units to a process until there are no more, and gives the processor time that it took. */
function workThrough(queue: Unit[], tell: (unit: Unit, lines: readonly Line[]) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    // What this process was started with, a worker is started with too.
    const worker = fork(process.argv[1] ?? '', ['--worker', process.env['NET_BUNDLE'] ?? ''], { serialization: 'advanced' });
    let current: Unit | undefined;
    let seconds = 0;
    const next = (): void => {
      current = queue.shift();
      if (current === undefined) worker.kill();
      else worker.send(current);
    };
    worker.on('message', (reply: Reply) => {
      if (current !== undefined) tell(current, reply.lines);
      seconds = reply.processorSeconds;
      next();
    });
    worker.on('error', reject);
    worker.on('exit', (code, signal) => {
      if (current === undefined) resolve(seconds);
      else reject(new Error(`the process of ${current.suite}/${current.unit} ended (${signal ?? code})`));
    });
    next();
  });
}

/** What such a process does. */
export function work(): void {
  process.on('message', async ({ suite, unit }: Unit) => {
    const lines = (await SUITES[suite]?.lines(unit)) ?? [];
    const { user, system } = process.cpuUsage();
    process.send?.({ lines, processorSeconds: (user + system) / 1e6 } satisfies Reply);
  });
}
