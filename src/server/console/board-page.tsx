// A board: several saved queries on one page, with one range of time. Loaded when one is first opened.
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { type Address, LIVE_SECONDS, type Range, START, writeAddress } from './address.ts';
import { announce } from './announce.ts';
import { Button } from './button.tsx';
import { Chart } from './chart.tsx';
import type { ConsoleBoard, ConsoleEndpoint } from './contract.ts';
import { FailureBox } from './failure-box.tsx';
import { LivePicker } from './live-picker.tsx';
import { usePage } from './page.ts';
import { withRange } from './range.ts';
import type { Rows } from './rows.ts';
import { questionOf } from './subject.ts';
import { type Order, RowsTable, sorted } from './table.tsx';
import { isTimeSeries } from './time-series.ts';
import { usePanel } from './use-panel.ts';

type Panel = ConsoleBoard['panels'][number];

interface BoardPageProps {
  readonly board: ConsoleBoard;
  readonly range: Range;
}

export function BoardPage({ board, range }: BoardPageProps) {
  const { info, visit, go } = usePage();
  const [turn, setTurn] = useState(0);
  const { live } = visit.address;
  const again = () => setTurn((last) => last + 1);
  useLayoutEffect(() => {
    if (live === undefined) return undefined;
    // A page that nobody looks at asks nothing.
    const timer = setInterval(() => document.hidden || again(), live * 1000);
    return () => clearInterval(timer);
  }, [live]);
  return (
    <article class="board">
      <div class="query-head">
        <h1 tabindex={-1}>{visible(board.title)}</h1>
        <div class="again">
          <Button
            onClick={() => {
              again();
              announce('running again');
            }}
          >
            Run again
          </Button>
          <LivePicker live={live} seconds={LIVE_SECONDS} onLive={(seconds) => go({ ...visit.address, live: seconds }, 'replace')} />
        </div>
      </div>
      {board.description !== undefined && <p class="description">{visible(board.description)}</p>}
      <div class="panels">
        {board.panels.map((panel, i) => {
          const endpoint = info.endpoints.find(({ name }) => name === panel.query);
          return endpoint && <PanelView key={`${i} ${panel.query}`} panel={panel} endpoint={endpoint} range={range} turn={turn} />;
        })}
      </div>
    </article>
  );
}

interface PanelViewProps extends Pick<BoardPageProps, 'range'> {
  readonly panel: Panel;
  readonly endpoint: ConsoleEndpoint;
  readonly turn: number;
}

function PanelView({ panel, endpoint, range, turn }: PanelViewProps) {
  const address = useMemo(() => addressOf(panel, endpoint, range), [panel, JSON.stringify(range)]);
  // Relative times are read for each run.
  const question = useMemo(() => questionOf(endpoint, address), [address, turn]);
  const { isRunning, result, failure } = usePanel(endpoint, question, turn);
  const title = panel.title ?? endpoint.name;
  const rows = result?.rows;
  return (
    <section class={`board-panel ${panel.width ?? 'half'}`} aria-label={visible(title)} aria-busy={isRunning || undefined}>
      <h2>
        <a href={writeAddress(address)}>{visible(title)}</a>
        <span class="soft">{rows === undefined ? '' : notes(rows)}</span>
      </h2>
      {failure && <FailureBox failure={failure} />}
      {rows === undefined && failure === undefined && <p class="nothing">Running…</p>}
      {rows !== undefined && rows.rows.length === 0 && <p class="nothing">No rows in this range.</p>}
      {rows !== undefined && rows.rows.length > 0 && <PanelRows rows={rows} show={panel.show ?? naturalShow(rows)} />}
    </section>
  );
}

const notes = ({ rows, truncated }: Rows): string => (truncated ? `the first ${rows.length.toLocaleString('en')} rows` : '');

const LOOK = START.look;
const HEIGHT = 260;

function PanelRows({ rows, show }: { readonly rows: Rows; readonly show: NonNullable<Panel['show']> }) {
  const [look, setLook] = useState(LOOK);
  const [order, setOrder] = useState<Order>();
  const inOrder = useMemo(() => sorted(rows, order), [rows, order]);
  const first = useMemo(() => ({ ...rows, rows: rows.rows.slice(0, 1) }), [rows]);
  if (show === 'number') return <Chart rows={first} look={LOOK} onLook={setLook} height={HEIGHT} />;
  if (show === 'chart') return <Chart rows={rows} look={look} onLook={setLook} height={HEIGHT} />;
  return <RowsTable columns={rows.columns} rows={inOrder} order={order} onOrder={setOrder} actionsOf={() => []} />;
}

/** A line over time, a number where there is only one row of numbers, else a table. */
function naturalShow(rows: Rows): NonNullable<Panel['show']> {
  if (isTimeSeries(rows)) return 'chart';
  return rows.rows.length === 1 && rows.columns.every(({ kind }) => kind === 'number') ? 'number' : 'table';
}

/** The page of the query with the values of the panel, and of the range where the panel says nothing. */
function addressOf({ params }: Panel, endpoint: ConsoleEndpoint, range: Range): Address {
  const given = Object.entries(params).flatMap(([name, value]): (readonly [string, readonly string[]])[] => {
    const known = endpoint.parameters.find((one) => spelling(one.name) === spelling(name));
    return known === undefined || value === null ? [] : [[known.name, [value].flat().map(textOf)]];
  });
  const ranged = withRange(endpoint, { ...START, endpoint: endpoint.name, run: true }, range);
  return { ...ranged, values: { ...ranged.values, ...Object.fromEntries(given) } };
}

const spelling = (name: string): string => name.toLowerCase().replaceAll('-', '_');
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
