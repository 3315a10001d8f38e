// Draws the rows: lines and columns over time, which can be pointed at and zoomed into; bars; large numbers. Loaded when a chart is first looked at.
import type { TimeField } from '../../output/svg/frame.ts';
import { pictureOf, svgElement } from '../../output/svg/picture.ts';
import { fullValue } from '../../output/svg/units.ts';
import { visible } from '../../output/visible.ts';
import { button, element } from './element.ts';
import type { Drawn } from './series.ts';

export interface Chart {
  /** Frees what it holds. */
  remove(): void;
}

interface Window {
  readonly from: number;
  readonly to: number;
}

const COLOURS = 8;
const [LEAST_HEIGHT, MOST_HEIGHT, BELOW, NARROW] = [280, 720, 90, 600];
/** Pixels that a pointer moves before it is taken to choose a part of the time. */
const LEAST_DRAG = 6;

/** `place` puts the chart into the page; its size is known only there. */
export function drawChart(drawing: Drawn, place: (chart: HTMLElement) => void): Chart {
  const holder = element('div', { class: 'chart-canvas' });
  const moment = element('span', { class: 'chart-moment' });
  const hidden = new Set<string>();
  const times = drawing.kind === 'times' ? drawing.times : [];
  const whole: Window = { from: times[0] ?? 0, to: times.at(-1) ?? 0 };
  let window: Window = whole;
  let kind: 'line' | 'bar' | undefined;
  let field: TimeField | undefined;
  let size = '';

  const redraw = () => {
    const width = Math.max(240, holder.clientWidth);
    const room = innerHeight - (holder.getBoundingClientRect().top + scrollY) - BELOW;
    // A narrow page is scrolled anyway.
    const fills = drawing.kind === 'times' && width >= NARROW;
    const height = fills ? Math.max(LEAST_HEIGHT, Math.min(MOST_HEIGHT, Math.round(room))) : undefined;
    const picture = pictureOf(drawing, { width, height, kind, legend: false, hints: drawing.kind === 'labels', hidden, window });
    field = picture.field;
    const text = svgElement({ ...picture, summary: `${picture.summary}. The same numbers are under Rows.` });
    holder.replaceChildren(document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true));
    size = `${holder.clientWidth} ${innerHeight}`;
    return picture;
  };

  const values = new Map<string, HTMLElement>();
  const point = (time: number | undefined) => {
    const drawn = holder.querySelector('svg');
    drawn?.querySelector('.cursor')?.remove();
    moment.textContent = time === undefined ? '' : new Date(time).toISOString().replace('.000Z', 'Z');
    if (drawing.kind !== 'times') return;
    for (const { name, column = name, points } of drawing.series) {
      const box = values.get(name);
      if (box === undefined) continue;
      const value = time === undefined ? undefined : (points.find(({ at }) => at === time)?.value ?? Number.NaN);
      box.textContent = value === undefined ? '' : fullValue(value, column);
    }
    if (time !== undefined && field !== undefined) drawn?.append(upright('cursor', field, field.xOf(time), field.xOf(time)));
  };

  const xOf = (event: PointerEvent) => event.clientX - holder.getBoundingClientRect().left;
  const nearest = (x: number): number | undefined => {
    const of = field;
    if (of === undefined) return undefined;
    const within = times.filter((time) => time >= window.from && time <= window.to);
    return within.reduce<number | undefined>(
      (best, time) => (best === undefined || Math.abs(of.xOf(time) - x) < Math.abs(of.xOf(best) - x) ? time : best),
      undefined,
    );
  };
  const show = (next: Window) => {
    // What holds fewer than two times has nothing to compare.
    if (times.filter((time) => time >= next.from && time <= next.to).length < 2) return;
    window = next;
    redraw();
  };
  const zoom = (factor: number) => {
    const [middle, half] = [(window.from + window.to) / 2, ((window.to - window.from) * factor) / 2];
    show({ from: Math.max(whole.from, middle - half), to: Math.min(whole.to, middle + half) });
  };

  let begun: number | undefined;
  const listen = () => {
    holder.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      begun = xOf(event);
      holder.setPointerCapture(event.pointerId);
    });
    holder.addEventListener('pointermove', (event) => {
      point(nearest(xOf(event)));
      holder.querySelector('.chosen')?.remove();
      if (begun !== undefined && field !== undefined) holder.querySelector('svg')?.append(upright('chosen', field, begun, xOf(event)));
    });
    holder.addEventListener('pointerup', (event) => {
      const [from, to] = [nearest(begun ?? 0), nearest(xOf(event))];
      const far = begun !== undefined && Math.abs(xOf(event) - begun) >= LEAST_DRAG;
      begun = undefined;
      holder.querySelector('.chosen')?.remove();
      if (far && from !== undefined && to !== undefined) show({ from: Math.min(from, to), to: Math.max(from, to) });
    });
    holder.addEventListener('pointerleave', () => {
      begun = undefined;
      holder.querySelector('.chosen')?.remove();
      point(undefined);
    });
  };

  const head = element('div', { class: 'chart-head' });
  const note = element('span', { class: 'chart-note' });
  place(
    element(
      'div',
      { class: 'chart' },
      head,
      holder,
      element('p', { class: 'hint' }, moment, note),
      ...drawing.notes.map((text) => element('p', { class: 'note' }, `${text}.`)),
    ),
  );
  const { series = [] } = redraw();
  if (series.length > 0) {
    listen();
    note.textContent = 'Times in UTC. Drag to zoom in.';
    const legend = series.map(({ name, label, index }) => {
      const value = element('span', { class: 'legend-value' });
      values.set(name, value);
      const toggle = () => {
        if (!hidden.delete(name)) hidden.add(name);
        entry.setAttribute('aria-pressed', String(!hidden.has(name)));
        redraw();
      };
      const entry = element(
        'button',
        { type: 'button', class: `legend-entry colour-${index % COLOURS}`, 'aria-pressed': 'true', onclick: toggle },
        element('span', { class: 'swatch', 'aria-hidden': 'true' }),
        element('span', {}, visible(label)),
        value,
      );
      return entry;
    });
    const columns = button(
      'Columns',
      () => {
        kind = kind === 'bar' ? undefined : 'bar';
        columns.setAttribute('aria-pressed', String(kind === 'bar'));
        redraw();
      },
      { 'aria-pressed': 'false' },
    );
    head.append(
      element('div', { class: 'legend', role: 'group', 'aria-label': 'Series' }, ...legend),
      element(
        'div',
        { class: 'actions' },
        columns,
        button('Zoom in', () => zoom(0.5)),
        button('Zoom out', () => zoom(2)),
        button('Whole', () => show(whole)),
      ),
    );
    redraw(); // below the legend there is less room
  }
  const follow = () => {
    if (size !== `${holder.clientWidth} ${innerHeight}`) redraw();
  };
  const sizes = new ResizeObserver(follow);
  sizes.observe(holder);
  addEventListener('resize', follow);
  return {
    remove() {
      sizes.disconnect();
      removeEventListener('resize', follow);
    },
  };
}

/** A strip over all panels. */
function upright(name: string, { top, bottom }: TimeField, from: number, to: number): SVGRectElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const place = { class: name, x: Math.min(from, to), y: top, width: Math.max(1, Math.abs(to - from)), height: bottom - top };
  for (const [key, value] of Object.entries(place)) made.setAttribute(key, String(value));
  return made;
}
