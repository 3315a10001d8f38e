// One table: how much it holds, its columns with their types, and some of its rows. Loaded when it is first shown.
import { useLayoutEffect, useState } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { START } from './address.ts';
import { Button } from './button.tsx';
import type { ConsoleTable } from './contract.ts';
import { FailureBox } from './failure-box.tsx';
import { usePage } from './page.ts';
import { questionOf } from './subject.ts';
import { RowsTable } from './table.tsx';
import { selectFrom, sizeText, useTables } from './tables.ts';
import { answerTo } from './use-run.ts';

const PREVIEWED = 20;

export function TablePage({ name }: { readonly name: string | undefined }) {
  const { tables, again } = useTables();
  if (tables === undefined) return null;
  if ('failure' in tables) return <FailureBox failure={tables.failure} onRetry={again} />;
  const table = tables.got.tables.find((one) => one.name === name);
  if (table !== undefined) return <TableView key={table.name} table={table} />;
  return (
    <div class="welcome">
      <h1 tabindex={-1}>{name === undefined ? 'Tables' : 'No such table'}</h1>
      <p class="soft">{name === undefined ? 'Choose a table from the list.' : `There is no table ${visible(name)} that you can read.`}</p>
    </div>
  );
}

function TableView({ table }: { readonly table: ConsoleTable }) {
  const { go, visit } = usePage();
  const { name, description, columns } = table;
  return (
    <article class="query">
      <div class="query-head">
        <h1 tabindex={-1}>{visible(name)}</h1>
        <Button class="primary" onClick={() => go({ ...START, page: 'sql', sql: selectFrom(table), range: visit.address.range })}>
          Write a SELECT
        </Button>
      </div>
      {description !== undefined && <p class="description">{visible(description)}</p>}
      <p class="facts">
        {[sizeText(table), `${columns.length} ${columns.length === 1 ? 'column' : 'columns'}`].filter((text) => text !== '').join(' · ')}
      </p>
      <h2>Columns</h2>
      <div class="table-scroll" tabindex={0} role="region" aria-label="Columns">
        <table class="rows plain">
          <thead>
            <tr>
              <th scope="col">column</th>
              <th scope="col">type</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr>
                <td>{visible(column.name)}</td>
                <td class="soft">{column.type}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>Some rows</h2>
      <Preview table={table} />
    </article>
  );
}

function Preview({ table }: { readonly table: ConsoleTable }) {
  const { server } = usePage();
  const [shown, setShown] = useState<Awaited<ReturnType<typeof answerTo>>>();
  const load = async (signal: AbortSignal) => {
    const question = questionOf(SUBJECT, { sql: selectFrom(table, PREVIEWED), values: {} });
    const given = await answerTo({ subject: SUBJECT, server, question, isFresh: false, signal });
    if (!signal.aborted) setShown(given);
  };
  useLayoutEffect(() => {
    const stop = new AbortController();
    void load(stop.signal);
    return () => stop.abort();
  }, []);
  if (shown === undefined) return <p class="nothing">Reading rows…</p>;
  if ('failure' in shown) return <FailureBox failure={shown.failure} onRetry={() => void load(new AbortController().signal)} />;
  const { columns, rows } = shown.result.rows;
  if (rows.length === 0) return <p class="nothing">The table has no rows.</p>;
  return <RowsTable columns={columns} rows={rows} order={undefined} onOrder={() => undefined} actionsOf={() => []} />;
}

const SUBJECT = { parameters: [] };
