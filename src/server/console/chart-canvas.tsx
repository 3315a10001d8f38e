// The picture of a chart, with what is pointed at and the part of the time that is being chosen.
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { Picture, TimeField } from '../../output/svg/frame.ts';

/** From one place of the time axis to another. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

interface ChartCanvasProps {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly picture: Picture;
  /** Those that can be pointed at. */
  readonly times: readonly number[];
  readonly pointed: number | undefined;
  /** `isSpoken` for those who do not point. */
  readonly onPoint: (time: number | undefined, isSpoken?: boolean) => void;
  readonly onZoom: (window: Window) => void;
  /** Whether it can be pointed at and zoomed into. */
  readonly isLive: boolean;
}

/** Pixels that a pointer moves before it is taken to choose a part of the time. */
const LEAST_DRAG = 6;
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

type OnCanvas = PointerEvent & { readonly currentTarget: HTMLElement };
const xOf = ({ clientX, currentTarget }: OnCanvas) => clientX - currentTarget.getBoundingClientRect().left;

export function ChartCanvas({ box, picture, times, pointed, onPoint, onZoom, isLive }: ChartCanvasProps) {
  const [drag, setDrag] = useState<Window>();
  const { field } = picture;
  const nearest = (x: number): number | undefined => {
    if (field === undefined) return undefined;
    const distance = (time: number) => Math.abs(field.xOf(time) - x);
    return times.reduce<number | undefined>(
      (best, time) => (best === undefined || distance(time) < distance(best) ? time : best),
      undefined,
    );
  };
  const step = (by: number) => {
    const place = pointed === undefined ? -1 : times.indexOf(pointed);
    const start = by > 0 ? 0 : times.length - 1;
    onPoint(times[place === -1 ? start : Math.max(0, Math.min(times.length - 1, place + by))], true);
  };
  const choose = (event: OnCanvas) => {
    setDrag(undefined);
    if (drag === undefined || Math.abs(xOf(event) - drag.from) < LEAST_DRAG) return;
    const [from, to] = [nearest(drag.from), nearest(xOf(event))];
    if (from !== undefined && to !== undefined) onZoom({ from: Math.min(from, to), to: Math.max(from, to) });
  };
  const listeners = {
    tabindex: 0,
    role: 'group',
    'aria-label': 'Chart: left and right go through its times',
    onKeyDown: ({ key }: KeyboardEvent) => {
      const by = STEPS[key];
      if (by !== undefined) step(by);
    },
    onBlur: () => onPoint(undefined),
    onPointerDown: (event: OnCanvas) => {
      if (event.button !== 0) return;
      setDrag({ from: xOf(event), to: xOf(event) });
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: OnCanvas) => {
      onPoint(nearest(xOf(event)));
      if (drag !== undefined) setDrag({ from: drag.from, to: xOf(event) });
    },
    onPointerUp: choose,
    onPointerLeave: () => {
      setDrag(undefined);
      onPoint(undefined);
    },
  } as const;
  return (
    <div class="chart-canvas" ref={box} {...(isLive ? listeners : {})}>
      <svg
        class="quern-chart"
        viewBox={`0 0 ${picture.width} ${picture.height}`}
        width={picture.width}
        height={picture.height}
        role="img"
        aria-label={`${picture.summary}. The same numbers are under Rows.`}
      >
        {/* It is made by output/svg, which escapes every text in it. */}
        <g dangerouslySetInnerHTML={{ __html: picture.markup }} />
        {field && pointed !== undefined && <Upright class="cursor" field={field} from={field.xOf(pointed)} to={field.xOf(pointed)} />}
        {field && drag && <Upright class="chosen" field={field} {...drag} />}
      </svg>
    </div>
  );
}

/** A strip over all panels; from and to in pixels. */
function Upright({ class: kind, field: { top, bottom }, from, to }: Window & { readonly class: string; readonly field: TimeField }) {
  return <rect class={kind} x={Math.min(from, to)} y={top} width={Math.max(1, Math.abs(to - from))} height={bottom - top} />;
}
