// Rows as a table: sortable, drawn in portions so that many rows do not hold the page up.
import { visible } from '../../output/visible.ts';
import { openCell } from './cell-dialog.ts';
import { announce, button, element } from './element.ts';
import { type Cell, isNumber } from './exact-json.ts';
import { type Column, compareCells, type Rows } from './rows.ts';
import { plainText, shownText } from './shown-text.ts';
import type { ActionsOf } from './value-actions.ts';

const PORTION = 1000;
/** Longer text is cut, and opens in a window. */
const LONGEST = 160;

export interface RowsTable {
  readonly element: HTMLElement;
  /** The rows in the order they are shown, with tabs between, for the clipboard. */
  text(): string;
  order(): Order | undefined;
}

interface Order {
  readonly column: number;
  readonly direction: 1 | -1;
}

/** `initial` is the order of a table that this one takes the place of. */
export function rowsTable({ columns, rows }: Rows, actionsOf: ActionsOf, initial?: Order): RowsTable {
  let order: Order | undefined;
  let sorted = rows;
  let drawn = 0;
  const body = element('tbody');
  const more = button('', () => draw(), { class: 'more' });
  const heads = columns.map(({ name, kind }, i) =>
    element(
      'th',
      { scope: 'col', class: kind },
      button(visible(name), () => sortBy(i), { class: 'sort' }),
    ),
  );

  const draw = () => {
    const portion = sorted.slice(drawn, drawn + PORTION);
    body.append(...portion.map((row) => element('tr', {}, ...columns.map((column, i) => cellOf(column, row[i] ?? null, actionsOf)))));
    drawn += portion.length;
    more.hidden = drawn >= sorted.length;
    if (!more.hidden) more.textContent = `Show ${Math.min(PORTION, sorted.length - drawn)} more of ${sorted.length} rows`;
  };

  const arrange = (by: Order | undefined) => {
    order = by;
    sorted = by === undefined ? rows : [...rows].sort((a, b) => compareCells(a[by.column] ?? null, b[by.column] ?? null, by.direction));
    for (const [i, head] of heads.entries()) {
      if (by?.column === i) head.setAttribute('aria-sort', by.direction === 1 ? 'ascending' : 'descending');
      else head.removeAttribute('aria-sort');
    }
    body.replaceChildren();
    drawn = 0;
    draw();
  };

  const sortBy = (column: number) => {
    const by: Order | undefined =
      order?.column !== column ? { column, direction: 1 } : order.direction === 1 ? { column, direction: -1 } : undefined;
    arrange(by);
    const name = visible(columns[column]?.name ?? '');
    announce(by === undefined ? 'in the order of the query' : `sorted by ${name}, ${by.direction === 1 ? 'ascending' : 'descending'}`);
  };

  arrange(initial);
  return {
    element: element(
      'div',
      {},
      element(
        'div',
        { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Rows' },
        element('table', { class: 'rows' }, element('thead', {}, element('tr', {}, ...heads)), body),
      ),
      more,
    ),
    order: () => order,
    text: () => rowsText({ columns, rows: sorted }),
  };
}

/** As a spreadsheet takes it. */
export const rowsText = ({ columns, rows }: Pick<Rows, 'columns' | 'rows'>): string =>
  [columns.map(({ name }) => name), ...rows.map((row) => row.map(plainText))].map(tabbed).join('\n');

/** Tabs and line ends inside a value would look like the next cell. */
const tabbed = (texts: readonly string[]): string => texts.map((text) => text.replace(/[\t\r\n]+/g, ' ')).join('\t');

function cellOf({ name, kind }: Column, cell: Cell, actionsOf: ActionsOf): HTMLElement {
  if (cell === null) return element('td', { class: `${kind} null` }, 'NULL');
  const text = shownText(cell);
  const nested = typeof cell === 'object' && !isNumber(cell);
  if (text.length <= LONGEST && !nested) return element('td', { class: text === '' ? `${kind} null` : kind }, text === '' ? 'empty' : text);
  if (text.length <= 2) return element('td', { class: 'nested' }, text);
  const cut = text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
  return element(
    'td',
    { class: nested ? 'nested' : kind },
    button(cut, () => void openCell(name, cell, actionsOf), { class: 'cell', title: 'Show the whole value' }),
  );
}
