// What came of a run: its rows as a log, a table and a chart, and in words how many there are, where from and how old.
import type { Address, Look, View } from './address.ts';
import type { Chart } from './chart.ts';
import { copyButton } from './clipboard.ts';
import { announce, element } from './element.ts';
import { type Filter, filtered, isFiltering, NO_FILTER } from './filter.ts';
import { filterBar } from './filter-bar.ts';
import { logColumns } from './log-columns.ts';
import type { Rows } from './rows.ts';
import { drawingOfRows } from './series.ts';
import type { Reply } from './server.ts';
import { type RowsTable, rowsTable, rowsText } from './table.ts';
import type { ActionsOf } from './value-actions.ts';

interface Result {
  readonly rows: Rows;
  readonly reply: Reply;
}

interface ResultView {
  /** One line above the tabs. */
  readonly summary: HTMLElement;
  /** Below the tabs: by what the rows are filtered. */
  readonly filters: HTMLElement;
  set(result: Result | undefined): void;
  /** Whether there is a result, and it has no rows. */
  isEmpty(): boolean;
  /** Whether the rows are those of a log. */
  isLog(): boolean;
  /** Draws what is looked at. */
  show(view: View, shown: Pick<Address, 'filter' | 'look'>): Promise<void>;
  remove(): void;
}

interface ResultViewOptions {
  readonly panel: (view: View) => HTMLElement;
  /** Controls beside the button that copies. */
  readonly actions: readonly HTMLElement[];
  readonly actionsOf: ActionsOf;
  readonly onFilter: (filter: Filter) => void;
  readonly onLook: (look: Look) => void;
}

type Drawable = 'logs' | 'rows' | 'chart';
const DRAWABLE: readonly View[] = ['logs', 'rows', 'chart'] satisfies readonly Drawable[];

export function resultView({ panel, actions, actionsOf, onFilter, onLook }: ResultViewOptions): ResultView {
  const summary = element('p', { class: 'summary' });
  const copied = () => (current === 'rows' && table !== undefined ? table.text() : rows === undefined ? '' : rowsText(rows));
  const bar = filterBar(onFilter, [copyButton('Copy rows', copied), ...actions]);
  bar.element.hidden = true;
  let result: Result | undefined;
  /** Those of the result that fit the filter. */
  let rows: Rows | undefined;
  let filter = NO_FILTER;
  let current: View = 'rows';
  let table: RowsTable | undefined;
  let log: { readonly chosen: () => Rows['rows'][number] | undefined; readonly element: HTMLElement } | undefined;
  let chart: Chart | undefined;
  let look: Look = { columns: false, log: false };

  const nothing = (view: Drawable, text: string) => panel(view).replaceChildren(element('p', { class: 'nothing' }, text));
  const noneFits = () => (isFiltering(filter) ? 'None of the rows fits the filter.' : 'No rows: nothing matches these values.');

  const drawTable = () => {
    if (rows === undefined) {
      table = undefined;
      nothing('rows', 'Run the query to see its rows.');
      return;
    }
    const held = panel('rows').querySelector('.table-scroll');
    const at = { top: held?.scrollTop ?? 0, left: held?.scrollLeft ?? 0 };
    const focused = [...(held?.querySelectorAll('.sort') ?? [])].findIndex((one) => one.matches(':focus'));
    const within = held?.contains(document.activeElement) === true;
    table = rowsTable(rows, actionsOf, table?.order());
    if (rows.rows.length === 0) nothing('rows', noneFits());
    else panel('rows').replaceChildren(table.element);
    panel('rows').querySelector('.table-scroll')?.scrollTo(at.left, at.top);
    if (within) panel('rows').querySelector<HTMLElement>('.table-scroll')?.focus();
    if (focused >= 0) panel('rows').querySelectorAll<HTMLElement>('.sort')[focused]?.focus();
  };

  const drawLog = async () => {
    const at = rows === undefined ? undefined : logColumns(rows.columns);
    if (rows === undefined || at === undefined || rows.rows.length === 0) {
      nothing(
        'logs',
        rows === undefined ? 'Run the query to see its rows.' : at === undefined ? 'These rows have no time and message.' : noneFits(),
      );
      return;
    }
    const of = rows;
    const { logView } = await import('./log-view.ts');
    if (of !== rows) return;
    const focused = log?.element.contains(document.activeElement) === true;
    const scrolled = log?.element.querySelector('.log-list')?.scrollTop ?? 0;
    const before = log === undefined ? {} : { before: { row: log.chosen(), open: 'open' in log.element.dataset } };
    log = logView(of, { at, actionsOf, ...before });
    panel('logs').replaceChildren(log.element);
    const list = log.element.querySelector<HTMLElement>('.log-list');
    if (list !== null) list.scrollTop = scrolled;
    // What had it is made anew; on a narrow page the list may be out of sight.
    if (focused) (list?.offsetParent === null ? log.element.querySelector<HTMLElement>('.log-detail') : list)?.focus();
  };

  const drawn = async () => {
    chart?.remove();
    chart = undefined;
    if (rows === undefined || (rows.rows.length === 0 && isFiltering(filter))) {
      nothing('chart', rows === undefined ? 'Run the query to see its chart.' : noneFits());
      return;
    }
    const drawing = drawingOfRows(rows);
    if ('reason' in drawing) {
      nothing('chart', drawing.reason);
      return;
    }
    const of = rows;
    const { drawChart } = await import('./chart.ts');
    if (of !== rows || chart !== undefined) return;
    chart = drawChart(drawing, { look, onLook, place: (box) => panel('chart').replaceChildren(box) });
  };

  let stale: ReadonlySet<View> = new Set(DRAWABLE);
  const narrow = (wanted: Filter) => {
    const same = JSON.stringify(wanted) === JSON.stringify(filter);
    filter = wanted;
    if (!same) {
      rows = result && filtered(result.rows, filter);
      stale = new Set(DRAWABLE);
      log = rows !== undefined && rows.rows.length > 0 ? log : undefined;
    }
  };
  return {
    summary,
    filters: bar.element,
    set(next) {
      const sameColumns =
        next !== undefined &&
        next.rows.columns.map(({ name }) => name).join('\n') === result?.rows.columns.map(({ name }) => name).join('\n');
      if (!sameColumns) [table, log] = [undefined, undefined];
      result = next;
      rows = next && filtered(next.rows, filter);
      stale = new Set(DRAWABLE);
      summary.replaceChildren(...(next === undefined ? [] : words(next)));
      announce([...summary.children].map((part) => part.textContent).join(', '));
    },
    isEmpty: () => result !== undefined && result.rows.rows.length === 0,
    isLog: () => result !== undefined && logColumns(result.rows.columns) !== undefined,
    async show(view, shown) {
      narrow(shown.filter);
      current = view;
      const all = DRAWABLE.includes(view) ? (result?.rows.rows.length ?? 0) : 0;
      bar.show(filter, rows?.rows.length ?? 0, all, view === 'chart');
      look = shown.look;
      chart?.change(look);
      if (!stale.has(view)) return;
      stale = new Set([...stale].filter((one) => one !== view));
      if (view === 'rows') drawTable();
      if (view === 'logs') await drawLog();
      if (view === 'chart') await drawn();
    },
    remove: () => chart?.remove(),
  };
}

function words({ rows: { rows, truncated }, reply }: Result): readonly HTMLElement[] {
  const count = rows.length === 1 ? '1 row' : `${rows.length.toLocaleString('en')} rows`;
  const cut = truncated || reply.truncated;
  const engine = reply.engineMs === undefined ? '' : `, ${duration(reply.engineMs)} in the engine`;
  return [
    element('strong', {}, count),
    ...(cut ? [element('span', { class: 'tag warn' }, 'cut off by the row limit')] : []),
    ...(reply.missingParts > 0 ? [element('span', { class: 'tag warn' }, 'parts of the data did not answer')] : []),
    element('span', { class: `tag ${reply.cache}` }, cacheWords(reply)),
    element('span', { class: 'soft' }, `${duration(reply.totalMs)}${engine}`),
  ];
}

function cacheWords({ cache, cached, ageSeconds }: Reply): string {
  if (cache === 'hit') return `from the cache, ${age(ageSeconds)} old`;
  if (cache === 'revalidated') return 'from the cache, and a new run would give the same';
  if (cache === 'stale') return `stale: from the cache, ${age(ageSeconds)} old`;
  return cached ? 'fresh from the engine, now in the cache' : 'fresh from the engine, not cached';
}

function age(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

const duration = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
