// How many rows of a log there are at each time, by how serious they are.
import { roundStep } from '../../output/chart/time.ts';
import { element } from './element.ts';
import { SEVERITIES, type Severity } from './log-level.ts';

interface LogMoment {
  readonly seconds: number | null;
  readonly severity: Severity;
}

interface Histogram {
  readonly element: HTMLElement;
  /** Marks the bar that holds a row. */
  mark(row: number): void;
}

const [MOST_BARS, BAR, GAP, HEIGHT] = [80, 10, 2, 56];

/** `onPick` gets the first row of the bar that was chosen. Undefined where fewer than two times are known. */
export function logHistogram(moments: readonly LogMoment[], onPick: (row: number) => void): Histogram | undefined {
  const times = moments.flatMap(({ seconds }) => (seconds === null ? [] : [seconds * 1000]));
  const [first, last] = [times.reduce((a, b) => Math.min(a, b), Infinity), times.reduce((a, b) => Math.max(a, b), -Infinity)];
  if (!(first < last)) return undefined;
  const step = roundStep(last - first, MOST_BARS);
  const start = Math.floor(first / step);
  const bars: { rows: number[]; counts: Map<Severity, number> }[] = [];
  for (let i = start; i <= Math.floor(last / step); i++) bars.push({ rows: [], counts: new Map() });
  const barOf = (row: number) => {
    const seconds = moments[row]?.seconds;
    return seconds === undefined || seconds === null ? -1 : Math.floor((seconds * 1000) / step) - start;
  };
  for (const [row, { severity }] of moments.entries()) {
    const bar = bars[barOf(row)];
    bar?.rows.push(row);
    bar?.counts.set(severity, (bar.counts.get(severity) ?? 0) + 1);
  }
  const most = bars.reduce((size, { rows }) => Math.max(size, rows.length), 1);
  const here = shape('rect', { class: 'here', y: 0, width: BAR, height: HEIGHT, x: -BAR });
  const drawn = bars.flatMap(({ rows, counts }, i) => {
    if (rows.length === 0) return [];
    const each = SEVERITIES.flatMap((severity) =>
      counts.has(severity) ? [`${counts.get(severity)} ${severity === 'none' ? 'other' : severity}`] : [],
    );
    const title = shape('title', {});
    title.textContent = `${clock((start + i) * step)}: ${each.join(', ')}`;
    const group = shape('g', { class: 'bar' });
    group.append(title, shape('rect', { class: 'hit', x: i * BAR, y: 0, width: BAR, height: HEIGHT }));
    let top = HEIGHT;
    // What is worst stands on the floor, where it is seen best.
    for (const severity of SEVERITIES) {
      const height = ((counts.get(severity) ?? 0) / most) * (HEIGHT - 4);
      if (height === 0) continue;
      top -= Math.max(1.5, height);
      group.append(
        shape('rect', { class: `sev-${severity}`, x: i * BAR + GAP / 2, y: top, width: BAR - GAP, height: Math.max(1.5, height) }),
      );
    }
    group.addEventListener('click', () => onPick(rows[0] ?? 0));
    return [group];
  });
  const picture = shape('svg', {
    class: 'histogram-bars',
    viewBox: `0 0 ${bars.length * BAR} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': `Rows over time, at most ${most} in ${spoken(step)}`,
  });
  picture.append(here, ...drawn);
  return {
    element: element(
      'div',
      { class: 'histogram' },
      picture,
      element(
        'p',
        { class: 'histogram-foot' },
        element('span', {}, clock(start * step)),
        element('span', {}, `${spoken(step)} each, at most ${most}`),
        element('span', {}, clock((start + bars.length) * step)),
      ),
    ),
    mark: (row) => here.setAttribute('x', String(barOf(row) * BAR)),
  };
}

function shape(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

const clock = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/(:00)?\.000Z$|Z$/, '');

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

function spoken(ms: number): string {
  const [size, unit] = UNITS.find(([least]) => ms >= least) ?? [1, 'ms'];
  return `${ms / size} ${unit}`;
}
