// Rows of a log: a line for each, the whole of one beside them, and how they lie in time. Loaded when logs are first looked at.
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { announce } from './announce.ts';
import { Button } from './button.tsx';
import { type Cell, exactJson } from './exact-json.ts';
import type { LogColumns } from './log-columns.ts';
import { LogDetail } from './log-detail.tsx';
import { LogHistogram } from './log-histogram.tsx';
import { type Level, levelOf } from './log-level.ts';
import { type Rows, secondsOf } from './rows.ts';
import { shownText } from './shown-text.ts';
import { type ActionsOf, alsoDoing } from './value-actions.ts';

interface LogViewProps extends Pick<Rows, 'columns' | 'rows'> {
  readonly at: LogColumns;
  readonly actionsOf: ActionsOf;
}

/** A row as its line shows it. */
interface Line {
  readonly seconds: number | null;
  readonly time: string;
  readonly level: Level;
  readonly message: string;
}

const PORTION = 500;
const STEPS: Readonly<Record<string, number>> = {
  j: 1,
  k: -1,
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
};

export function LogView({ columns, rows, at, actionsOf }: LogViewProps) {
  const lines = useMemo(() => linesOf({ columns, rows }, at), [rows]);
  const moments = useMemo(() => lines.map(({ seconds, level }) => ({ seconds, severity: level.severity })), [lines]);
  const [row, setRow] = useState(rows[0]);
  const [portion, setPortion] = useState(PORTION);
  /** Where the page has room for either the list or the chosen row: that it is the row. */
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const detail = useRef<HTMLElement>(null);
  const chosen = useMemo(() => Math.max(0, placeOf(rows, row)), [rows, row]);
  const count = Math.max(portion, chosen + 1);

  const choose = (next: number, isSpoken: boolean) => {
    const place = Math.max(0, Math.min(rows.length - 1, next));
    setRow(rows[place]);
    const { time = '', level = { text: '' }, message = '' } = lines[place] ?? {};
    if (isSpoken) announce(`row ${place + 1} of ${rows.length}: ${time}${visible(level.text)}${message}`);
  };
  const showWhole = (next: number) => {
    choose(next, false);
    setOpen(true);
  };
  const focusShown = () => (list.current?.offsetParent === null ? detail.current : list.current)?.focus();
  useLayoutEffect(() => {
    if (isOpen && list.current?.offsetParent === null) detail.current?.focus();
    if (isOpen || !box.current?.contains(document.activeElement)) return;
    list.current?.focus();
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);

  const press = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || (target instanceof HTMLElement && target.matches('input, select, textarea'))) return;
    const inList = target === list.current;
    const step = STEPS[key];
    if (inList && key === 'Enter') showWhole(chosen);
    else if (key === 'Escape' && isOpen) setOpen(false);
    else if (step !== undefined && (inList || key.length === 1)) choose(chosen + step, !inList);
    else return;
    event.preventDefault();
  };
  return (
    <div class="logs" ref={box} data-open={isOpen ? '' : undefined} onKeyDown={press}>
      <LogHistogram moments={moments} chosen={chosen} onPick={(next) => choose(next, true)} />
      <div class="log-parts">
        <div class="log-rows">
          <LogList box={list} lines={lines.slice(0, count)} chosen={chosen} onChoose={showWhole} />
          <Button class="more" hidden={count >= rows.length} onClick={() => setPortion(count + PORTION)}>
            {`Show more: ${count.toLocaleString('en')} of ${rows.length.toLocaleString('en')} are listed`}
          </Button>
        </div>
        <LogDetail
          box={detail}
          columns={columns}
          rows={rows}
          at={at}
          level={lines[chosen]?.level ?? NO_LEVEL}
          chosen={chosen}
          onChoose={(next) => choose(next, true)}
          onList={() => setOpen(false)}
          // The button that was pressed is gone.
          actionsOf={alsoDoing(actionsOf, { after: focusShown })}
        />
      </div>
    </div>
  );
}

interface LogListProps {
  readonly box: RefObject<HTMLUListElement | null>;
  readonly lines: readonly Line[];
  readonly chosen: number;
  readonly onChoose: (place: number) => void;
}

function LogList({ box, lines, chosen, onChoose }: LogListProps) {
  useLayoutEffect(() => {
    const line = box.current?.children[chosen];
    if (box.current !== null && line instanceof HTMLElement) scrollTo(box.current, line);
  }, [chosen]);
  const attributes = { id: 'log-list', role: 'listbox', tabindex: 0, 'aria-label': 'Log rows' } as const;
  return (
    <ul class="log-list" ref={box} aria-activedescendant={`log-${chosen}`} {...attributes}>
      {lines.map(({ time, level, message }, i) => (
        <li role="option" id={`log-${i}`} class={`log-line sev-${level.severity}`} aria-selected={i === chosen} onClick={() => onChoose(i)}>
          <span class="log-time">{time}</span>
          <span class="log-level">{visible(level.text)}</span>
          <span class="log-message">{message}</span>
        </li>
      ))}
    </ul>
  );
}

const NO_LEVEL: Level = { severity: 'none', text: '' };

function linesOf({ columns, rows }: Pick<Rows, 'columns' | 'rows'>, at: LogColumns): readonly Line[] {
  const times = rows.map((row) => secondsOf(row[at.time] ?? null));
  const isOneDay = new Set(times.map((seconds) => Math.floor((seconds ?? 0) / 86_400))).size <= 1;
  return rows.map((row, i) => {
    const seconds = times[i] ?? null;
    const time = timeText(seconds);
    return {
      seconds,
      time: isOneDay ? time.slice(11) : time.slice(5),
      level: levelOf(columns, row),
      message: shownText(row[at.message] ?? null),
    };
  });
}

function scrollTo(list: HTMLElement, line: HTMLElement): void {
  const [top, bottom] = [line.offsetTop, line.offsetTop + line.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

/** Of the row itself, or of one like it after another run; -1 where there is none. */
function placeOf(rows: Rows['rows'], row: readonly Cell[] | undefined): number {
  if (row === undefined) return -1;
  const same = rows.indexOf(row);
  if (same !== -1) return same;
  const text = exactJson(row);
  return rows.findIndex((one) => exactJson(one) === text);
}

/** ISO 8601 to the millisecond; empty for a time that is not known. */
const timeText = (seconds: number | null): string =>
  seconds === null ? '' : new Date(Math.round(seconds * 1000)).toISOString().replace('T', ' ').slice(0, -1);
