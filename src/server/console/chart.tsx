// Draws the rows: lines and columns over time, which can be pointed at and zoomed into; bars; large numbers. Loaded when a chart is first looked at.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pictureOf } from '../../output/svg/picture.ts';
import { fullValue } from '../../output/svg/units.ts';
import { visible } from '../../output/visible.ts';
import type { Look } from './address.ts';
import { announce } from './announce.ts';
import { Button } from './button.tsx';
import { ChartCanvas, type Window } from './chart-canvas.tsx';
import type { Rows } from './rows.ts';
import { type Drawn, drawingOfRows } from './series.ts';

interface ChartProps {
  readonly rows: Rows;
  readonly look: Look;
  /** Asks for another look. */
  readonly onLook: (look: Look) => void;
  /** That of a chart over time; default: what the window has room for. */
  readonly height?: number | undefined;
}

const [LEAST_HEIGHT, MOST_HEIGHT, BELOW, NARROW] = [280, 720, 90, 600];

export function Chart({ rows, look, onLook, height }: ChartProps) {
  const drawing = useMemo(() => drawingOfRows(rows), [rows]);
  if ('reason' in drawing) return <p class="nothing">{drawing.reason}</p>;
  // Other rows are looked at as a whole, and not in the part that was zoomed into.
  return <DrawnChart key={drawing} drawing={drawing} look={look} onLook={onLook} height={height} />;
}

function DrawnChart({ drawing, look, onLook, height: wanted }: Omit<ChartProps, 'rows'> & { readonly drawing: Drawn }) {
  const times = drawing.kind === 'times' ? drawing.times : [];
  const whole: Window = { from: times[0] ?? 0, to: times.at(-1) ?? 0 };
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set<string>());
  const [window, setWindow] = useState(whole);
  const [pointed, setPointed] = useState<number>();
  const canvas = useRef<HTMLDivElement>(null);
  const { width, room } = useRoom(canvas);
  const picture = useMemo(() => {
    // A narrow page is scrolled anyway.
    const fills = drawing.kind === 'times' && width >= NARROW;
    const height = wanted ?? (fills ? Math.max(LEAST_HEIGHT, Math.min(MOST_HEIGHT, room)) : undefined);
    const kind = look.columns ? 'bar' : undefined;
    return pictureOf(drawing, { width, height, kind, log: look.log, legend: false, hints: drawing.kind === 'labels', hidden, window });
  }, [drawing, wanted, width, room, look.columns, look.log, hidden, window]);
  const shownTimes = times.filter((time) => time >= window.from && time <= window.to);
  const show = (next: Window) => {
    // What holds fewer than two times has nothing to compare.
    if (times.filter((time) => time >= next.from && time <= next.to).length >= 2) setWindow(next);
  };
  const zoom = (factor: number) => {
    const [middle, half] = [(window.from + window.to) / 2, ((window.to - window.from) * factor) / 2];
    show({ from: Math.max(whole.from, middle - half), to: Math.min(whole.to, middle + half) });
  };
  const { series = [] } = picture;
  const point = (time: number | undefined, isSpoken = false) => {
    setPointed(time);
    if (isSpoken)
      announce([momentText(time), ...series.map(({ name }) => `${visible(name)} ${valueText(drawing, name, time)}`)].join(', '));
  };
  const toggle = (name: string) => {
    const others = [...hidden].filter((one) => one !== name);
    setHidden(new Set(hidden.has(name) ? others : [...others, name]));
  };
  return (
    <div class="chart">
      <div class="chart-head">
        {series.length > 0 && (
          <>
            <div class="legend" role="group" aria-label="Series">
              {series.map((one) => (
                <LegendEntry
                  {...one}
                  value={valueText(drawing, one.name, pointed)}
                  isShown={!hidden.has(one.name)}
                  onToggle={() => toggle(one.name)}
                />
              ))}
            </div>
            <ChartActions look={look} onLook={onLook} onZoom={zoom} onWhole={() => show(whole)} />
          </>
        )}
      </div>
      <ChartCanvas
        box={canvas}
        picture={picture}
        times={shownTimes}
        pointed={pointed}
        onPoint={point}
        onZoom={show}
        isLive={series.length > 0}
      />
      <p class="hint">
        <span class="chart-moment">{momentText(pointed)}</span>
        <span class="chart-note">{series.length > 0 && 'Times in UTC. Drag to zoom in; the arrow keys go from time to time.'}</span>
      </p>
      {drawing.notes.map((text) => (
        <p class="note">{text}.</p>
      ))}
    </div>
  );
}

interface ChartActionsProps extends Pick<ChartProps, 'look' | 'onLook'> {
  readonly onZoom: (factor: number) => void;
  readonly onWhole: () => void;
}

function ChartActions({ look, onLook, onZoom, onWhole }: ChartActionsProps) {
  return (
    <div class="actions">
      <Button aria-pressed={look.columns} onClick={() => onLook({ ...look, columns: !look.columns })}>
        Columns
      </Button>
      <Button aria-pressed={look.log} onClick={() => onLook({ ...look, log: !look.log })}>
        Log scale
      </Button>
      <Button onClick={() => onZoom(0.5)}>Zoom in</Button>
      <Button onClick={() => onZoom(2)}>Zoom out</Button>
      <Button onClick={onWhole}>Whole</Button>
    </div>
  );
}

const COLOURS = 8;

interface LegendEntryProps {
  readonly label: string;
  readonly index: number;
  readonly value: string;
  readonly isShown: boolean;
  readonly onToggle: () => void;
}

function LegendEntry({ label, index, value, isShown, onToggle }: LegendEntryProps) {
  return (
    <button type="button" class={`legend-entry colour-${index % COLOURS}`} aria-pressed={isShown} onClick={onToggle}>
      <span class="swatch" aria-hidden="true" />
      <span>{visible(label)}</span>
      <span class="legend-value">{value}</span>
    </button>
  );
}

/** How wide the canvas is, and how much of the window's height there is for it; below a legend there is less. */
function useRoom(canvas: { readonly current: HTMLElement | null }) {
  const [size, setSize] = useState({ width: 240, room: LEAST_HEIGHT });
  const measure = () => {
    if (canvas.current === null || canvas.current.offsetParent === null) return;
    const width = Math.max(240, canvas.current.clientWidth);
    const room = Math.round(innerHeight - (canvas.current.getBoundingClientRect().top + scrollY) - BELOW);
    setSize((last) => (last.width === width && last.room === room ? last : { width, room }));
  };
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    if (canvas.current === null) return undefined;
    const sizes = new ResizeObserver(measure);
    sizes.observe(canvas.current);
    addEventListener('resize', measure);
    return () => {
      sizes.disconnect();
      removeEventListener('resize', measure);
    };
  }, []);
  return size;
}

const momentText = (time: number | undefined): string => (time === undefined ? '' : new Date(time).toISOString().replace('.000Z', 'Z'));

/** That of a series at a time. */
function valueText(drawing: Drawn, wanted: string, time: number | undefined): string {
  if (time === undefined || drawing.kind !== 'times') return '';
  const series = drawing.series.find(({ name }) => name === wanted);
  if (series === undefined) return '';
  return fullValue(series.points.find(({ at }) => at === time)?.value ?? Number.NaN, series.column ?? series.name);
}
