// Draws lines over time. Loaded when a chart is first looked at.
import uPlot from 'uplot';
import { visible } from '../../output/visible.ts';
import { button, element } from './element.ts';
import type { TimeSeries } from './series.ts';

export interface Chart {
  /** Frees what it holds. */
  remove(): void;
}

const COLOURS = 8;
const HEIGHT = 320;

/** `place` puts the chart into the page; its width is known only there. */
export function drawChart({ timeName, times, series, leftOut }: TimeSeries, place: (chart: HTMLElement) => void): Chart {
  const holder = element('div', { class: 'chart-canvas', role: 'img', 'aria-label': summary(timeName, times, series) });
  const moment = element('span', { class: 'chart-moment' });
  const values = series.map(() => element('span', { class: 'legend-value' }));
  const shown = series.map(() => true);
  const legend = series.map(({ label }, i) => {
    const entry = element(
      'button',
      {
        type: 'button',
        class: `legend-entry colour-${i % COLOURS}`,
        'aria-pressed': 'true',
        onclick: () => {
          shown[i] = shown[i] !== true;
          entry.setAttribute('aria-pressed', String(shown[i]));
          plot.setSeries(i + 1, { show: shown[i] === true });
        },
      },
      element('span', { class: 'swatch', 'aria-hidden': 'true' }),
      element('span', {}, visible(label)),
      values[i],
    );
    return entry;
  });
  const whole = { min: times[0] ?? 0, max: times.at(-1) ?? 1 };
  const zoom = (factor: number) => {
    const { min = whole.min, max = whole.max } = plot.scales['x'] ?? {};
    const [middle, half] = [(min + max) / 2, ((max - min) * factor) / 2];
    const next = { min: Math.max(whole.min, middle - half), max: Math.min(whole.max, middle + half) };
    if (next.max - next.min >= 0.001) plot.setScale('x', next);
  };

  const draw = (): uPlot => new uPlot(options(), [[...times], ...series.map(({ values: numbers }) => [...numbers])], holder);

  const options = (): uPlot.Options => {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--soft'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { stroke: colour('--line'), width: 1 },
      font: '12px system-ui, sans-serif',
    };
    return {
      width: Math.max(200, holder.clientWidth),
      height: HEIGHT,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      legend: { show: false },
      cursor: { drag: { x: true, y: false }, points: { size: 7 } },
      axes: [
        { ...axis, values: MOMENTS },
        { ...axis, size: 64, values: (_, splits) => splits.map(axisNumber) },
      ],
      series: [
        {},
        ...series.map(({ label }, i) => ({
          label,
          show: shown[i] === true,
          stroke: colour(`--series-${i % COLOURS}`),
          width: 2,
          points: { show: times.length <= 60, size: 5 },
          spanGaps: false,
        })),
      ],
      hooks: { setCursor: [(self) => point(self.cursor.idx ?? undefined)] },
    };
  };

  const point = (at: number | undefined) => {
    const seconds = at === undefined ? undefined : times[at];
    moment.textContent = seconds === undefined ? '' : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
    for (const [i, box] of values.entries()) {
      const value = at === undefined ? undefined : series[i]?.values[at];
      box.textContent = at === undefined ? '' : value === null || value === undefined ? '–' : value.toLocaleString('en');
    }
  };

  place(
    element(
      'div',
      { class: 'chart' },
      element(
        'div',
        { class: 'chart-head' },
        element('div', { class: 'legend', role: 'group', 'aria-label': 'Lines' }, ...legend),
        element(
          'div',
          { class: 'actions' },
          button('Zoom in', () => zoom(0.5)),
          button('Zoom out', () => zoom(2)),
          button('Whole', () => plot.setScale('x', whole)),
        ),
      ),
      holder,
      element('p', { class: 'hint' }, moment, element('span', { class: 'chart-note' }, `${visible(timeName)}, in UTC. Drag to zoom in.`)),
      leftOut > 0 && element('p', { class: 'note' }, `The ${series.length} largest of ${series.length + leftOut} lines are drawn.`),
    ),
  );
  let plot = draw();
  const sizes = new ResizeObserver(() => plot.setSize({ width: Math.max(200, holder.clientWidth), height: HEIGHT }));
  sizes.observe(holder);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const redraw = () => {
    plot.destroy();
    plot = draw();
  };
  scheme.addEventListener('change', redraw);
  return {
    remove() {
      scheme.removeEventListener('change', redraw);
      sizes.disconnect();
      plot.destroy();
    },
  };
}

function summary(timeName: string, times: readonly number[], series: TimeSeries['series']): string {
  const day = (seconds: number | undefined) => (seconds === undefined ? '' : new Date(seconds * 1000).toISOString());
  const labels = series.map(({ label }) => label).join(', ');
  return `Lines over ${timeName} from ${day(times[0])} to ${day(times.at(-1))}: ${labels}. The same numbers are under Rows.`;
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
const axisNumber = (value: number): string => COMPACT.format(value);

/** How the axis names moments, by the least seconds between them; what a new day or year adds goes on a line below. */
const MOMENTS: (string | number | null)[][] = [
  [3600 * 24 * 365, '{YYYY}', null, null, null, null, null, null, 1],
  [3600 * 24 * 28, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [3600 * 24, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [1, '{HH}:{mm}:{ss}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [0.001, '{ss}.{fff}', '\n{D} {MMM} {YYYY} {HH}:{mm}', null, '\n{D} {MMM} {HH}:{mm}', null, '\n{HH}:{mm}', null, 1],
];
