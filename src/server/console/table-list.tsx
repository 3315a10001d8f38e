// The browser of tables beside the SQL page: each with its columns and types. Loaded when it is first shown.
import { useState } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { START } from './address.ts';
import { Button } from './button.tsx';
import type { ConsoleTable } from './contract.ts';
import { FailureBox } from './failure-box.tsx';
import { usePage } from './page.ts';
import { selectFrom, sizeText, tableHref, useTables } from './tables.ts';

export function TableList() {
  const { tables, again } = useTables();
  const [text, setText] = useState('');
  const words = text.toLowerCase().split(/\s+/);
  const all = tables !== undefined && 'got' in tables ? tables.got.tables : [];
  const found = all.filter((table) => words.every((word) => searchText(table).includes(word)));
  return (
    <>
      <input
        id="search"
        type="search"
        placeholder="Search tables and columns"
        aria-label="Search tables and columns"
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <p class="list-count" role="status">
        {found.length < all.length && `${found.length} of ${all.length}`}
      </p>
      {tables === undefined && <p class="nothing">Looking for tables…</p>}
      {tables !== undefined && 'failure' in tables && <FailureBox failure={tables.failure} onRetry={again} />}
      {tables !== undefined && 'got' in tables && (
        <ul class="list tables">
          {found.map((table) => (
            <TableItem key={table.name} table={table} words={text === '' ? [] : words} />
          ))}
          {found.length === 0 && (
            <li class="nothing">{all.length === 0 ? 'There are no tables yet: quern load fills one.' : 'No tables match.'}</li>
          )}
        </ul>
      )}
      <Button class="list-again" onClick={again}>
        Look again
      </Button>
    </>
  );
}

const searchText = ({ name, columns }: ConsoleTable): string => `${name} ${columns.map((column) => column.name).join(' ')}`.toLowerCase();

interface TableItemProps {
  readonly table: ConsoleTable;
  /** What is looked for. */
  readonly words: readonly string[];
}

function TableItem({ table, words }: TableItemProps) {
  const { go, visit } = usePage();
  const { name, columns } = table;
  const size = sizeText(table);
  // A column that was looked for would be hidden.
  const isFound = words.some((word) => word !== '' && !name.toLowerCase().includes(word));
  return (
    <li>
      <details class="table-item" open={isFound || undefined}>
        <summary aria-current={visit.address.name === name ? 'true' : undefined}>
          <span class="list-name">{visible(name)}</span>
          {size !== '' && <span class="list-description">{size}</span>}
        </summary>
        <div class="actions">
          <Button
            aria-label={`Write a SELECT from ${visible(name)}`}
            onClick={() => go({ ...START, page: 'sql', sql: selectFrom(table), range: visit.address.range })}
          >
            SELECT
          </Button>
          <a class="button" href={tableHref(name)} aria-label={`Look at ${visible(name)}`}>
            Look
          </a>
        </div>
        <ul class="columns">
          {columns.map((column) => (
            <li>
              <span>{visible(column.name)}</span> <span class="column-type">{column.type}</span>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}
