// Rows of a log: a line for each, the whole of one beside them, and how they lie in time. Loaded when logs are first looked at.
import { visible } from '../../output/visible.ts';
import { copyButton } from './clipboard.ts';
import { announce, button, element } from './element.ts';
import { type Cell, exactJson } from './exact-json.ts';
import type { LogColumns } from './log-columns.ts';
import { logHistogram } from './log-histogram.ts';
import { type Level, levelOf } from './log-level.ts';
import { recordTree } from './record-tree.ts';
import { type Rows, secondsOf } from './rows.ts';
import { plainText, shownLines, shownText } from './shown-text.ts';
import type { ActionsOf } from './value-actions.ts';

interface LogView {
  readonly element: HTMLElement;
  /** The row that is looked at. */
  chosen(): readonly Cell[] | undefined;
}

interface LogViewOptions {
  readonly at: LogColumns;
  readonly actionsOf: ActionsOf;
  /** Looked at before; chosen again where it is still there. */
  readonly before?: { readonly row: readonly Cell[] | undefined; readonly open: boolean };
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

export function logView({ columns, rows }: Rows, { at, actionsOf, before }: LogViewOptions): LogView {
  const moments = rows.map((row) => ({ seconds: secondsOf(row[at.time] ?? null), level: levelOf(columns, row) }));
  const isOneDay = new Set(moments.map(({ seconds }) => Math.floor((seconds ?? 0) / 86_400))).size <= 1;
  let chosen = Math.max(0, placeOf(rows, before?.row));

  const lines: HTMLElement[] = [];
  const list = element('ul', { class: 'log-list', role: 'listbox', tabindex: 0, 'aria-label': 'Log rows', id: 'log-list' });
  const more = button('', () => draw(lines.length + PORTION), { class: 'more' });
  const detail = element('section', { class: 'log-detail', 'aria-label': 'The chosen row', tabindex: -1 });
  const histogram = logHistogram(
    moments.map(({ seconds, level }) => ({ seconds, severity: level.severity })),
    (row) => choose(row, true),
  );

  const draw = (most: number) => {
    for (let i = lines.length; i < Math.min(most, rows.length); i++) {
      const line = lineOf(i);
      lines.push(line);
      list.append(line);
    }
    more.hidden = lines.length === rows.length;
    more.textContent = `Show more: ${lines.length.toLocaleString('en')} of ${rows.length.toLocaleString('en')} are listed`;
  };
  const lineOf = (i: number): HTMLElement => {
    const row = rows[i] ?? [];
    const { level } = moments[i] ?? { level: NO_LEVEL };
    const time = timeText(row[at.time] ?? null);
    return element(
      'li',
      {
        role: 'option',
        id: `log-${i}`,
        class: `log-line sev-${level.severity}`,
        'aria-selected': 'false',
        onclick: () => choose(i, false, true),
      },
      element('span', { class: 'log-time' }, isOneDay ? time.slice(11) : time.slice(5)),
      element('span', { class: 'log-level' }, visible(level.text)),
      element('span', { class: 'log-message' }, shownText(row[at.message] ?? null)),
    );
  };

  /** `open` also where the page has room for either the list or the row only. */
  const choose = (next: number, spoken = false, open = false) => {
    lines[chosen]?.setAttribute('aria-selected', 'false');
    chosen = Math.max(0, Math.min(rows.length - 1, next));
    if (chosen >= lines.length) draw(chosen + 1);
    const line = lines[chosen];
    line?.setAttribute('aria-selected', 'true');
    list.setAttribute('aria-activedescendant', `log-${chosen}`);
    if (line !== undefined) scrollTo(line);
    histogram?.mark(chosen);
    showDetail();
    if (spoken) announce(`row ${chosen + 1} of ${rows.length}: ${line?.textContent ?? ''}`);
    if (open) setOpen(true);
  };
  const scrollTo = (line: HTMLElement) => {
    const [top, bottom] = [line.offsetTop, line.offsetTop + line.offsetHeight];
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  };
  const setOpen = (open: boolean) => {
    if (open) box.dataset['open'] = '';
    else delete box.dataset['open'];
    // Only where the other is hidden.
    if (open && list.offsetParent === null) detail.focus();
    if (!open) {
      list.focus();
      lines[chosen]?.scrollIntoView({ block: 'nearest' });
    }
  };

  const showDetail = () => {
    const row = rows[chosen] ?? [];
    const { level } = moments[chosen] ?? { level: NO_LEVEL };
    const focused = detail.contains(document.activeElement) ? document.activeElement?.textContent : undefined;
    const steps = [
      button('All rows', () => setOpen(false), { class: 'log-back' }),
      button('Previous', () => choose(chosen - 1, true), { title: 'Key: k', disabled: chosen === 0 }),
      button('Next', () => choose(chosen + 1, true), { title: 'Key: j', disabled: chosen >= rows.length - 1 }),
    ];
    const others = columns.flatMap(({ name }, i) => (i === at.time || i === at.message ? [] : [[name, row[i] ?? null] as const]));
    detail.replaceChildren(
      element(
        'div',
        { class: 'log-detail-head' },
        ...steps,
        element('span', { class: 'soft' }, `${(chosen + 1).toLocaleString('en')} of ${rows.length.toLocaleString('en')}`),
        element('span', { class: 'space' }),
        copyButton('Copy JSON', () => exactJson({ fields: columns.map(({ name }, i) => [name, row[i] ?? null] as const) }, '  ')),
      ),
      element(
        'p',
        { class: 'log-when' },
        level.text !== '' && element('span', { class: `tag sev-${level.severity}` }, visible(level.text)),
        element('span', {}, visible(plainText(row[at.time] ?? null))),
      ),
      element('pre', { tabindex: 0, 'aria-label': 'Message' }, shownLines(row[at.message] ?? null)),
      recordTree(others, actionsOf),
    );
    // The button that was pressed is another one now.
    if (focused !== undefined) {
      const same = steps.find((step) => step.textContent === focused && !step.disabled) ?? steps.find((step) => !step.disabled);
      (same ?? detail).focus();
    }
  };

  const box = element(
    'div',
    {
      class: 'logs',
      onkeydown: (event) => {
        const { key, target, ctrlKey, metaKey, altKey } = event as KeyboardEvent;
        if (ctrlKey || metaKey || altKey || (target instanceof HTMLElement && target.matches('input, select, textarea'))) return;
        const inList = target === list;
        if (inList && key === 'Enter') choose(chosen, false, true);
        else if (key === 'Escape' && 'open' in box.dataset) setOpen(false);
        else {
          const step = STEPS[key];
          if (step === undefined || (!inList && key.length > 1)) return;
          choose(chosen + step, !inList);
        }
        event.preventDefault();
      },
    },
    histogram?.element,
    element('div', { class: 'log-parts' }, element('div', { class: 'log-rows' }, list, more), detail),
  );
  draw(PORTION);
  choose(chosen);
  if (before?.open === true) box.dataset['open'] = '';
  return { element: box, chosen: () => rows[chosen] };
}

/** Of the row itself, or of one like it after another run; -1 where there is none. */
function placeOf(rows: Rows['rows'], row: readonly Cell[] | undefined): number {
  if (row === undefined) return -1;
  const same = rows.indexOf(row);
  if (same !== -1) return same;
  const text = exactJson(row);
  return rows.findIndex((one) => exactJson(one) === text);
}

const NO_LEVEL: Level = { severity: 'none', text: '' };

/** ISO 8601 to the millisecond, for a time that is known. */
function timeText(cell: Cell): string {
  const seconds = secondsOf(cell);
  return seconds === null ? '' : new Date(Math.round(seconds * 1000)).toISOString().replace('T', ' ').slice(0, -1);
}
