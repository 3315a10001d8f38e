// Draws the rows: lines and columns over time, which can be pointed at and zoomed into; bars; large numbers. Loaded when a chart is first looked at.
import type { TimeField } from '../../output/svg/frame.ts';
import { pictureOf, svgElement } from '../../output/svg/picture.ts';
import { fullValue } from '../../output/svg/units.ts';
import { visible } from '../../output/visible.ts';
import type { Look } from './address.ts';
import { announce, button, element } from './element.ts';
import type { Drawn } from './series.ts';

export interface Chart {
  change(look: Look): void;
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

interface ChartOptions {
  readonly look: Look;
  /** Asks for another look. */
  readonly onLook: (look: Look) => void;
  /** Puts the chart into the page; its size is known only there. */
  readonly place: (chart: HTMLElement) => void;
}

export function drawChart(drawing: Drawn, { look: initial, onLook, place }: ChartOptions): Chart {
  const holder = element('div', { class: 'chart-canvas' });
  const moment = element('span', { class: 'chart-moment' });
  const hidden = new Set<string>();
  const times = drawing.kind === 'times' ? drawing.times : [];
  const whole: Window = { from: times[0] ?? 0, to: times.at(-1) ?? 0 };
  let window: Window = whole;
  let look = initial;
  let field: TimeField | undefined;
  let size = '';

  const redraw = () => {
    const width = Math.max(240, holder.clientWidth);
    const room = innerHeight - (holder.getBoundingClientRect().top + scrollY) - BELOW;
    // A narrow page is scrolled anyway.
    const fills = drawing.kind === 'times' && width >= NARROW;
    const height = fills ? Math.max(LEAST_HEIGHT, Math.min(MOST_HEIGHT, Math.round(room))) : undefined;
    const kind = look.columns ? 'bar' : undefined;
    const hints = drawing.kind === 'labels';
    const picture = pictureOf(drawing, { width, height, kind, log: look.log, legend: false, hints, hidden, window });
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

  let pointed: number | undefined;
  /** One time further, for those who do not point. */
  const step = (by: number) => {
    const within = times.filter((time) => time >= window.from && time <= window.to);
    const at = pointed === undefined ? -1 : within.indexOf(pointed);
    pointed = within[Math.max(0, Math.min(within.length - 1, at === -1 ? (by > 0 ? 0 : within.length - 1) : at + by))];
    point(pointed);
    announce([moment.textContent, ...[...values].map(([name, box]) => `${visible(name)} ${box.textContent}`)].join(', '));
  };

  let begun: number | undefined;
  const listen = () => {
    for (const [name, value] of Object.entries({
      tabindex: '0',
      role: 'group',
      'aria-label': 'Chart: left and right go through its times',
    }))
      holder.setAttribute(name, value);
    holder.addEventListener('keydown', ({ key }) => {
      if (key === 'ArrowRight' || key === 'ArrowLeft') step(key === 'ArrowRight' ? 1 : -1);
    });
    holder.addEventListener('blur', () => {
      pointed = undefined;
      point(undefined);
    });
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
  const columns = button('Columns', () => onLook({ ...look, columns: !look.columns }));
  const log = button('Log scale', () => onLook({ ...look, log: !look.log }));
  const press = () => {
    columns.setAttribute('aria-pressed', String(look.columns));
    log.setAttribute('aria-pressed', String(look.log));
  };
  press();
  const { series = [] } = redraw();
  if (series.length > 0) {
    listen();
    note.textContent = 'Times in UTC. Drag to zoom in; the arrow keys go from time to time.';
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
    head.append(
      element('div', { class: 'legend', role: 'group', 'aria-label': 'Series' }, ...legend),
      element(
        'div',
        { class: 'actions' },
        columns,
        log,
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
    change(next) {
      if (next.columns === look.columns && next.log === look.log) return;
      look = next;
      press();
      redraw();
    },
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
