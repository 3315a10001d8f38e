// What came of a run: its rows as table and chart, and in words how many there are, where from and how old.
import type { Address, View } from './address.ts';
import type { Chart } from './chart.ts';
import { copyButton } from './clipboard.ts';
import { announce, element } from './element.ts';
import type { Rows } from './rows.ts';
import { drawingOfRows } from './series.ts';
import type { Reply } from './server.ts';
import { type RowsTable, rowsTable } from './table.ts';

interface Result {
  readonly rows: Rows;
  readonly reply: Reply;
}

interface ResultView {
  /** One line above the tabs. */
  readonly summary: HTMLElement;
  set(result: Result | undefined): void;
  /** Whether there is a result, and it has no rows. */
  isEmpty(): boolean;
  /** Draws what is looked at. */
  show(view: View): Promise<void>;
  remove(): void;
}

interface ResultViewOptions {
  readonly panel: (view: Address['view']) => HTMLElement;
  /** Controls beside the button that copies. */
  readonly actions: readonly HTMLElement[];
}

export function resultView({ panel, actions }: ResultViewOptions): ResultView {
  const summary = element('p', { class: 'summary' });
  let result: Result | undefined;
  let table: RowsTable | undefined;
  let chart: Chart | undefined;

  const drawTable = () => {
    if (result === undefined) {
      table = undefined;
      panel('rows').replaceChildren(element('p', { class: 'nothing' }, 'Run the query to see its rows.'));
      return;
    }
    const held = panel('rows').querySelector('.table-scroll');
    const at = { top: held?.scrollTop ?? 0, left: held?.scrollLeft ?? 0 };
    const focused = [...(held?.querySelectorAll('.sort') ?? [])].findIndex((one) => one.matches(':focus'));
    table = rowsTable(result.rows, table?.order());
    const copied = table;
    const toolbar = element('div', { class: 'actions' }, copyButton('Copy rows', copied.text), ...actions);
    const isEmpty = result.rows.rows.length === 0;
    panel('rows').replaceChildren(
      ...(isEmpty ? [element('p', { class: 'nothing' }, 'No rows: nothing matches these values.')] : [toolbar, copied.element]),
    );
    panel('rows').querySelector('.table-scroll')?.scrollTo(at.left, at.top);
    if (focused >= 0) panel('rows').querySelectorAll<HTMLElement>('.sort')[focused]?.focus();
  };

  const drawn = async () => {
    chart?.remove();
    chart = undefined;
    const holder = panel('chart');
    if (result === undefined) {
      holder.replaceChildren(element('p', { class: 'nothing' }, 'Run the query to see its chart.'));
      return;
    }
    const drawing = drawingOfRows(result.rows);
    if ('reason' in drawing) {
      holder.replaceChildren(element('p', { class: 'nothing' }, drawing.reason));
      return;
    }
    const of = result;
    const { drawChart } = await import('./chart.ts');
    if (of !== result || chart !== undefined) return;
    chart = drawChart(drawing, (box) => holder.replaceChildren(box));
  };

  let stale: ReadonlySet<View> = new Set(['rows', 'chart']);
  return {
    summary,
    set(next) {
      const sameColumns =
        next !== undefined &&
        next.rows.columns.map(({ name }) => name).join('\n') === result?.rows.columns.map(({ name }) => name).join('\n');
      if (!sameColumns) table = undefined;
      result = next;
      stale = new Set(['rows', 'chart']);
      summary.replaceChildren(...(next === undefined ? [] : words(next)));
      announce([...summary.children].map((part) => part.textContent).join(', '));
    },
    isEmpty: () => result !== undefined && result.rows.rows.length === 0,
    async show(view) {
      if (!stale.has(view)) return;
      stale = new Set([...stale].filter((one) => one !== view));
      if (view === 'rows') drawTable();
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
