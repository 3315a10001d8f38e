// What ⌘K opens: pages, boards, saved queries, tables and columns, found by a few letters. Loaded when it is first opened.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { START, writeAddress } from './address.ts';
import type { ConsoleTable } from './contract.ts';
import { AS_WRITTEN } from './inputs.tsx';
import { boardHref, hrefOf, type Page, usePage } from './page.ts';
import { tableHref, tablesOf } from './tables.ts';

interface Entry {
  readonly kind: 'page' | 'board' | 'query' | 'table' | 'column';
  readonly name: string;
  readonly about: string;
  readonly href: string;
}

const MOST_SHOWN = 50;

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const page = usePage();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [tables, setTables] = useState<readonly ConsoleTable[]>([]);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    if (page.info.mayRunSql) void tablesOf(page.server).then((given) => 'got' in given && setTables(given.got.tables));
  }, []);
  const entries = useMemo(() => entriesOf(page, tables), [tables]);
  const found = useMemo(() => matching(entries, text), [entries, text]);
  useLayoutEffect(() => dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }), [at]);
  const open = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    dialog.current?.close();
    location.hash = entry.href;
  };
  const goOn = (event: KeyboardEvent) => {
    event.stopPropagation();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setAt((at + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(found[at]);
    }
  };
  return (
    <dialog
      class="palette"
      aria-label="Go to"
      ref={dialog}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
      onKeyDown={goOn}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Go to a query, a table or a column"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${at}` : undefined}
        placeholder="Go to a query, a table or a column"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        {...AS_WRITTEN}
      />
      <ul id="palette-list" role="listbox" aria-label="What was found">
        {found.map((entry, i) => (
          <li key={`${entry.kind} ${entry.name}`} id={`palette-${i}`} role="option" aria-selected={i === at} onClick={() => open(entry)}>
            <span class="palette-name">{visible(entry.name)}</span>
            <span class="palette-about">{visible(entry.about)}</span>
            <span class="palette-kind">{entry.kind}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="nothing">Nothing has such a name.</p>}
    </dialog>
  );
}

function entriesOf(page: Page, tables: readonly ConsoleTable[]): readonly Entry[] {
  const { boards, endpoints, mayRunSql } = page.info;
  const pages: readonly Entry[] = [
    { kind: 'page', name: 'Overview', about: 'favourites, recent runs and data', href: '#/' },
    ...(mayRunSql
      ? ([
          { kind: 'page', name: 'SQL', about: 'a query over all tables', href: writeAddress({ ...START, page: 'sql' }) },
          { kind: 'page', name: 'Tables', about: 'columns, types and rows', href: writeAddress({ ...START, page: 'tables' }) },
        ] as const)
      : []),
  ];
  return [
    ...pages,
    ...boards.map((board) => ({
      kind: 'board' as const,
      name: board.title,
      about: board.description ?? board.name,
      href: boardHref(board.name, page.visit.address.range),
    })),
    ...endpoints.map((endpoint) => ({
      kind: 'query' as const,
      name: endpoint.name,
      about: endpoint.description,
      href: hrefOf(page, endpoint),
    })),
    ...tables.map((table) => ({
      kind: 'table' as const,
      name: table.name,
      about: table.description ?? `${table.columns.length} columns`,
      href: tableHref(table.name),
    })),
    ...tables.flatMap((table) =>
      table.columns.map(({ name, type }) => ({
        kind: 'column' as const,
        name: `${table.name}.${name}`,
        about: type,
        href: tableHref(table.name),
      })),
    ),
  ];
}

/** Those in which all words stand; what begins with the text comes first. */
function matching(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const last = words.at(-1) ?? '';
  const rank = ({ name }: Entry): number => {
    const own = name.toLowerCase();
    if (own.startsWith(last)) return 0;
    return own.split(/[._-]/).some((part) => part.startsWith(last)) ? 1 : 2;
  };
  const found = entries.filter(({ name, about }) => words.every((word) => `${name} ${about}`.toLowerCase().includes(word)));
  const shown = words.length === 0 ? found.filter(({ kind }) => kind !== 'column') : found;
  return [...shown].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_SHOWN);
}
