// What came of a run: why it failed; or, in tabs, its rows as a log, a table and a chart; and the SQL and commands that ask for them.
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Look, View } from './address.ts';
import { Button, CopyButton } from './button.tsx';
import { Downloads } from './downloads.tsx';
import { ElsewhereView } from './elsewhere-view.tsx';
import { filtered, isFiltering, NO_FILTER } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { lazy } from './lazy.tsx';
import { type LogColumns, logColumns } from './log-columns.ts';
import { Summary, Trouble } from './outcome.tsx';
import { usePage } from './page.ts';
import type { Rows } from './rows.ts';
import type { Failure, Question } from './server.ts';
import { SqlView } from './sql-view.tsx';
import { questionOf, type Subject } from './subject.ts';
import { type Order, RowsTable, rowsText, sorted } from './table.tsx';
import { Tabs } from './tabs.tsx';
import { isTimeSeries } from './time-series.ts';
import type { Run } from './use-run.ts';
import { type ActionsOf, valueActions } from './value-actions.ts';

const Chart = lazy(async () => (await import('./chart.tsx')).Chart);
const LogView = lazy(async () => (await import('./log-view.tsx')).LogView);

interface RunOutcomeProps {
  readonly subject: Subject;
  readonly run: Run;
  /** Runs the query as of another instant. */
  readonly onInstant?: (asOf: string) => void;
  /** Rows may come from the cache, so that a run past it is worth an offer. */
  readonly isCached: boolean;
  /** As the form has it at present. */
  readonly draft: Question;
  /** What is shown of the query itself, beside its rows. */
  readonly file?: ComponentChildren;
  /** More ways to run again. */
  readonly children?: ComponentChildren;
}

/** What stands below a form: why the run has failed, or its rows and the ways to run again. */
export function RunOutcome({ subject, run, onInstant = () => undefined, isCached, draft, file, children }: RunOutcomeProps) {
  const { info, visit } = usePage();
  const { trouble, result, offersAnother, again, report, question = questionOf(subject, visit.address) } = run;
  return (
    <>
      <Trouble parameters={subject.parameters} trouble={trouble} onRetry={() => again(false)} onInstant={onInstant} />
      <div class="result-head">
        <Summary result={result} />
        <div class="again" hidden={!offersAnother}>
          <Button title="Run again, bypassing the cache" hidden={!isCached || !info.mayRefresh} onClick={() => again(true)}>
            Refresh
          </Button>
          {children}
        </div>
      </div>
      <ResultView subject={subject} file={file} rows={result?.rows} question={question} draft={draft} onFailure={report} />
    </>
  );
}

interface ResultViewProps extends Pick<RunOutcomeProps, 'subject' | 'file' | 'draft'> {
  /** Undefined where there is no result. */
  readonly rows: Rows | undefined;
  /** That of the rows, for downloads. */
  readonly question: Question;
  readonly onFailure: (failure: Failure) => void;
}

const LABELS: Readonly<Record<View, string>> = {
  logs: 'Logs',
  rows: 'Rows',
  chart: 'Chart',
  sql: 'SQL',
  elsewhere: 'Commands',
  file: 'Save as',
};
const OF_ROWS: readonly View[] = ['logs', 'rows', 'chart'];

/** The way that suits the rows: as a log or as a chart over time where they are one. */
function naturalView(rows: Rows | undefined): View {
  if (rows === undefined) return 'rows';
  if (logColumns(rows.columns) !== undefined) return 'logs';
  return isTimeSeries(rows) ? 'chart' : 'rows';
}

function ResultView({ subject, file, rows: all, question, draft, onFailure }: ResultViewProps) {
  const { go, visit } = usePage();
  const { address } = visit;
  const { filter } = address;
  const at = logColumns(all?.columns ?? []);
  const natural = useMemo(() => naturalView(all), [all]);
  const view = address.view ?? natural;
  const rows = useMemo(() => all && filtered(all, filter), [all, JSON.stringify(filter)]);
  const [order, setOrder] = useOrder(all);
  const inOrder = useMemo(() => rows && { ...rows, rows: sorted(rows, order) }, [rows, order]);
  const actionsOf: ActionsOf = (path, value) =>
    valueActions(path, value, {
      subject,
      filter,
      onFilter: (wanted) => go({ ...address, filter: wanted }, 'replace'),
      onParameter: (name, text) => go({ ...address, values: { ...address.values, [name]: [text] }, filter: NO_FILTER, run: true }),
    });
  const copied = view === 'rows' ? inOrder : rows;
  const shown: ShownRows = { rows, isFiltering: isFiltering(filter) };
  const hasInstant = subject.parameters.some(({ instant }) => instant === true);
  const contents: Readonly<Record<View, ComponentChildren>> = {
    logs: <LogPanel {...shown} at={at} actionsOf={actionsOf} />,
    rows: <RowsPanel {...shown} rows={inOrder} order={order} onOrder={setOrder} actionsOf={actionsOf} />,
    chart: <ChartPanel {...shown} look={address.look} onLook={(look) => go({ ...address, look }, 'replace')} />,
    sql: <SqlView endpoint={subject.name} sql={draft.sql} parameters={draft.parameters} />,
    elsewhere: <ElsewhereView question={{ ...draft, endpoint: subject.name ?? '' }} hasInstant={hasInstant} />,
    file,
  };
  const logs: readonly View[] = view === 'logs' || at !== undefined ? ['logs'] : [];
  const offered: readonly View[] = [...logs, 'rows', 'chart', 'sql', subject.name === undefined ? 'file' : 'elsewhere'];
  return (
    <Tabs
      tabs={offered.map((name) => ({ name, label: LABELS[name], content: contents[name] }))}
      chosen={view}
      onChosen={(name) => go({ ...address, view: name === natural ? undefined : name }, 'replace')}
      above={
        <div>
          <FilterBar
            filter={filter}
            onFilter={(wanted) => go({ ...address, filter: wanted }, 'replace')}
            left={rows?.rows.length ?? 0}
            all={OF_ROWS.includes(view) ? (all?.rows.length ?? 0) : 0}
            isBare={view === 'chart'}
          >
            <CopyButton label="Copy rows" text={() => (copied === undefined ? '' : rowsText(copied))} />
            <Downloads id={subject.id} question={question} onFailure={onFailure} />
          </FilterBar>
        </div>
      }
    />
  );
}

/** The order that the reader has chosen, for as long as the columns stay the same. */
function useOrder(rows: Rows | undefined) {
  const columns = columnsKey(rows);
  const [chosen, setChosen] = useState<{ readonly columns: string; readonly order: Order | undefined }>();
  const setOrder = (order: Order | undefined) => setChosen({ columns, order });
  return [chosen?.columns === columns ? chosen.order : undefined, setOrder] as const;
}

const columnsKey = (rows: Rows | undefined): string => JSON.stringify(rows?.columns.map(({ name }) => name)) ?? '';

interface ShownRows {
  /** Those that fit the filter; undefined before there is a result. */
  readonly rows: Rows | undefined;
  readonly isFiltering: boolean;
}

const Nothing = ({ text }: { readonly text: string }) => <p class="nothing">{text}</p>;

const NoRows = ({ isFiltering: isFiltered }: Pick<ShownRows, 'isFiltering'>) => (
  <Nothing text={isFiltered ? 'None of the rows fits the filter.' : 'No rows: nothing matches these values.'} />
);

interface LogPanelProps extends ShownRows {
  readonly at: LogColumns | undefined;
  readonly actionsOf: ActionsOf;
}

function LogPanel({ rows, at, actionsOf, ...shown }: LogPanelProps) {
  if (rows === undefined) return <Nothing text="Run the query to see its rows." />;
  if (at === undefined) return <Nothing text="These rows have no time and message." />;
  if (rows.rows.length === 0) return <NoRows {...shown} />;
  return <LogView key={columnsKey(rows)} columns={rows.columns} rows={rows.rows} at={at} actionsOf={actionsOf} />;
}

interface RowsPanelProps extends ShownRows {
  readonly order: Order | undefined;
  readonly onOrder: (order: Order | undefined) => void;
  readonly actionsOf: ActionsOf;
}

function RowsPanel({ rows, isFiltering: isFiltered, ...table }: RowsPanelProps) {
  if (rows === undefined) return <Nothing text="Run the query to see its rows." />;
  if (rows.rows.length === 0) return <NoRows isFiltering={isFiltered} />;
  return <RowsTable columns={rows.columns} rows={rows.rows} {...table} />;
}

interface ChartPanelProps extends ShownRows {
  readonly look: Look;
  readonly onLook: (look: Look) => void;
}

function ChartPanel({ rows, isFiltering: isFiltered, ...chart }: ChartPanelProps) {
  if (rows === undefined) return <Nothing text="Run the query to see its chart." />;
  if (rows.rows.length === 0 && isFiltered) return <NoRows isFiltering />;
  return <Chart rows={rows} {...chart} />;
}
