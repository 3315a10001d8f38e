// Rows as a table: sortable, drawn in portions so that many rows do not hold the page up.
import { useMemo, useRef, useState } from 'preact/hooks';
import { roundedText } from '../../output/rounded.ts';
import { visible } from '../../output/visible.ts';
import { announce } from './announce.ts';
import { Button } from './button.tsx';
import { type Cell, isNumber } from './exact-json.ts';
import { lazy } from './lazy.tsx';
import { type Column, compareCells, type Rows } from './rows.ts';
import { plainText, shownText } from './shown-text.ts';
import type { ActionsOf } from './value-actions.ts';

const CellDialog = lazy(async () => (await import('./cell-dialog.tsx')).CellDialog);

const PORTION = 1000;
/** Longer text is cut, and opens in a window. */
const LONGEST = 160;

export interface Order {
  readonly column: number;
  readonly direction: 1 | -1;
}

interface OpenCell {
  readonly column: string;
  readonly cell: Cell;
}

interface RowsTableProps extends Pick<Rows, 'columns' | 'rows'> {
  /** That of the rows; undefined for the query's own. */
  readonly order: Order | undefined;
  readonly onOrder: (order: Order | undefined) => void;
  readonly actionsOf: ActionsOf;
}

export function RowsTable({ columns, rows, order, onOrder, actionsOf }: RowsTableProps) {
  const [extent, setExtent] = useState({ rows, count: PORTION });
  const [open, setOpen] = useState<OpenCell>();
  const region = useRef<HTMLDivElement>(null);
  const count = extent.rows === rows ? extent.count : PORTION;
  const lines = useMemo(() => rows.slice(0, count).map((row) => lineOf(columns, row, setOpen)), [rows, columns, count]);
  const sortBy = (column: number) => {
    const next = nextOrder(column, order);
    onOrder(next);
    const name = visible(columns[column]?.name ?? '');
    announce(next === undefined ? 'in the order of the query' : `sorted by ${name}, ${WORDS[next.direction]}`);
  };
  return (
    <div>
      <div class="table-scroll" ref={region} tabindex={0} role="region" aria-label="Rows">
        <table class="rows">
          <thead>
            <tr>
              {columns.map(({ name, kind }, i) => (
                <th scope="col" class={kind} aria-sort={order?.column === i ? WORDS[order.direction] : undefined}>
                  <Button class="sort" onClick={() => sortBy(i)}>
                    {visible(name)}
                  </Button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{lines}</tbody>
        </table>
      </div>
      <Button class="more" hidden={count >= rows.length} onClick={() => setExtent({ rows, count: count + PORTION })}>
        {`Show ${Math.min(PORTION, rows.length - count)} more of ${rows.length} rows`}
      </Button>
      {open && (
        <CellDialog
          {...open}
          actionsOf={actionsOf}
          onClose={() => setOpen(undefined)}
          // The cell may be gone.
          onAct={() => region.current?.focus()}
        />
      )}
    </div>
  );
}

const WORDS = { 1: 'ascending', [-1]: 'descending' } as const;

/** Of a column that is pressed again and again: up, down, as it was. */
function nextOrder(column: number, order: Order | undefined): Order | undefined {
  if (order?.column !== column) return { column, direction: 1 };
  return order.direction === 1 ? { column, direction: -1 } : undefined;
}

export function sorted({ rows }: Pick<Rows, 'rows'>, order: Order | undefined): Rows['rows'] {
  if (order === undefined) return rows;
  const { column, direction } = order;
  return [...rows].sort((a, b) => compareCells(a[column] ?? null, b[column] ?? null, direction));
}

/** As a spreadsheet takes it. */
export const rowsText = ({ columns, rows }: Pick<Rows, 'columns' | 'rows'>): string =>
  [columns.map(({ name }) => name), ...rows.map((row) => row.map(plainText))].map(tabbed).join('\n');

/** Tabs and line ends inside a value would look like the next cell. */
const tabbed = (texts: readonly string[]): string => texts.map((text) => text.replace(/[\t\r\n]+/g, ' ')).join('\t');

function lineOf(columns: readonly Column[], row: readonly Cell[], onOpen: (cell: OpenCell) => void) {
  return <tr>{columns.map((column, i) => cellOf(column, row[i] ?? null, onOpen))}</tr>;
}

/** Rounded as in the terminal; what is copied and downloaded has all digits. */
function FloatCell({ text }: { readonly text: string }) {
  const rounded = roundedText(Number(text));
  return (
    <td class="number" title={rounded === text ? undefined : text}>
      {rounded}
    </td>
  );
}

function cellOf({ name, kind, isFloat }: Column, cell: Cell, onOpen: (cell: OpenCell) => void) {
  if (cell === null) return <td class={`${kind} null`}>NULL</td>;
  const text = shownText(cell);
  if (isFloat === true && isNumber(cell)) return <FloatCell text={text} />;
  const isNested = typeof cell === 'object' && !isNumber(cell);
  if (text === '') return <td class={`${kind} null`}>empty</td>;
  if (text.length <= LONGEST && !isNested) return <td class={kind}>{text}</td>;
  if (text.length <= 2) return <td class="nested">{text}</td>;
  return (
    <td class={isNested ? 'nested' : kind}>
      <Button class="cell" title="Show the whole value" onClick={() => onOpen({ column: name, cell })}>
        {text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`}
      </Button>
    </td>
  );
}
