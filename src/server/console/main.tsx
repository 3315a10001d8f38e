// The console: the list of saved queries beside the one that is looked at. What is shown follows the page's address.
import { type ComponentChildren, render } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { type Address, type Range, START, writeAddress } from './address.ts';
import { Button } from './button.tsx';
import type { ConsoleBoard, ConsoleEndpoint, ConsoleInfo } from './contract.ts';
import { FailureBox } from './failure-box.tsx';
import { favourites, setFavourite } from './favourites.ts';
import { KeyForm, type KeyFormProps } from './key-form.tsx';
import { lazy } from './lazy.tsx';
import { type Page, PageContext, rangeAt, useAddress } from './page.ts';
import { PaletteOpener } from './palette-opener.tsx';
import { Places } from './places.tsx';
import { QueryView } from './query-view.tsx';
import { partsOf, withRange } from './range.ts';
import { RangeMenu } from './range-menu.tsx';
import { createServer, type Failure } from './server.ts';
import { StartView } from './start-view.tsx';
import { storedText } from './stored.ts';

const BoardPage = lazy(async () => (await import('./board-page.tsx')).BoardPage);
const SqlPage = lazy(async () => (await import('./sql-page.tsx')).SqlPage);
const TablePage = lazy(async () => (await import('./table-page.tsx')).TablePage);

const key = storedText('sessionStorage', 'quern-key');
const server = createServer(key.get);

type Session =
  | { readonly is: 'starting' }
  | { readonly is: 'open'; readonly info: ConsoleInfo }
  | { readonly is: 'failed'; readonly failure: Failure }
  | { readonly is: 'locked'; readonly failure: Failure; readonly wasTried: boolean };

function App() {
  const [session, setSession] = useState<Session>({ is: 'starting' });
  const askForKey = (failure: Failure) => {
    setSession({ is: 'locked', failure, wasTried: key.get() !== '' });
    key.set('');
  };
  const start = async () => {
    const given = await server.info();
    if ('got' in given) setSession({ is: 'open', info: given.got });
    else if (given.failure.status === 401) askForKey(given.failure);
    else setSession({ is: 'failed', failure: given.failure });
  };
  const startWith = (text: string) => {
    key.set(text);
    void start();
  };
  useLayoutEffect(() => void start(), []);
  if (session.is === 'open') return <Console info={session.info} onNoKey={askForKey} onForget={() => startWith('')} />;
  return (
    <Frame head={session.is !== 'starting' && <Head />} list={null}>
      {session.is === 'failed' && <FailureBox failure={session.failure} onRetry={() => void start()} />}
      {session.is === 'locked' && <Locked {...session} onKey={startWith} />}
    </Frame>
  );
}

interface FrameProps {
  readonly head: ComponentChildren;
  readonly list: ComponentChildren;
  readonly children: ComponentChildren;
}

function Frame({ head, list, children }: FrameProps) {
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The address holds what is shown, so the link must not change it.
          event.preventDefault();
          document.querySelector('main')?.focus();
        }}
      >
        Skip to the query
      </a>
      <header class="top">{head}</header>
      <div class="frame">
        <nav class="endpoints" aria-label="Saved queries">
          {list}
        </nav>
        <main id="main" tabindex={-1}>
          {children}
        </main>
      </div>
      <div id="told" class="unseen" role="status" />
    </>
  );
}

interface HeadProps {
  readonly info?: ConsoleInfo;
  /** The address of the overview. */
  readonly home?: string;
  /** Where a narrow page goes back to. */
  readonly back?: Back;
  readonly range?: ComponentChildren;
  readonly onForget?: () => void;
}

/** The list that leads to what is shown. */
interface Back {
  readonly href: string;
  readonly name: string;
}

function Head({ info, home = '#/', back = { href: home, name: 'All queries' }, range, onForget }: HeadProps) {
  return (
    <>
      <a class="brand home" href={home}>
        quern
      </a>
      {info && (
        <>
          <span class="soft version">{info.version}</span>
          <a class="back home" href={back.href}>
            {back.name}
          </a>
        </>
      )}
      <span class="space" />
      {info && <PaletteOpener />}
      {range}
      <a class="playground-link" href="playground">
        Playground
      </a>
      {info?.key !== undefined && (
        <>
          <span class="soft key-name">key: {info.key}</span>
          <Button onClick={onForget}>Forget key</Button>
        </>
      )}
    </>
  );
}

function Locked(props: KeyFormProps) {
  useTitle('API key · quern', 'query');
  return <KeyForm {...props} />;
}

/** `shows`: what a narrow page has room for. */
function useTitle(title: string, shows: 'list' | 'query'): void {
  useLayoutEffect(() => {
    document.title = title;
    document.body.dataset['shows'] = shows;
  }, [title, shows]);
}

interface ConsoleProps {
  readonly info: ConsoleInfo;
  readonly onNoKey: (failure: Failure) => void;
  readonly onForget: () => void;
}

function Console({ info, onNoKey, onForget }: ConsoleProps) {
  const [visit, go] = useAddress();
  const [starred, setStarred] = useState(favourites);
  const onFavourite = (query: string, isFavourite: boolean) => {
    setFavourite(query, isFavourite);
    setStarred(favourites());
  };
  const page: Page = { info, server, visit, go, favourites: starred, onFavourite, onNoKey };
  const { address, moves } = visit;
  const { endpoint: name, page: kind } = address;
  const endpoint = info.endpoints.find((one) => one.name === name);
  const board = kind === 'boards' ? info.boards.find((one) => one.name === address.name) : undefined;
  const range = board === undefined ? rangeAt(page) : { ...rangeOfBoard(board), ...rangeAt(page) };
  const shown = board?.title ?? titleOf(address);
  useTitle(
    shown === undefined ? 'quern' : `${shown} · quern`,
    shown === undefined || (kind === 'tables' && address.name === undefined) ? 'list' : 'query',
  );
  useLayoutEffect(() => {
    // The SQL page begins in its editor.
    if (moves > 0 && kind !== 'sql') document.querySelector<HTMLElement>('main h1')?.focus();
  }, [shown]);
  const toRange = (wanted: Range) => go(withRange(endpoint, address, wanted));
  const menu = <RangeMenu range={range} reach={endpoint === undefined ? '' : reachOf(endpoint)} onRange={toRange} />;
  const home = writeAddress({ ...START, range });
  const back = kind === 'tables' ? { href: '#/~tables', name: 'All tables' } : { href: home, name: 'All queries' };
  return (
    <PageContext.Provider value={page}>
      <Frame head={<Head info={info} home={home} back={back} range={menu} onForget={onForget} />} list={<Places />}>
        {endpoint && <QueryView key={name} endpoint={endpoint} />}
        {endpoint === undefined && name !== undefined && <Unknown name={name} />}
        {kind === 'sql' && (info.mayRunSql ? <SqlPage /> : <NoSql />)}
        {kind === 'tables' && (info.mayRunSql ? <TablePage name={address.name} /> : <NoSql />)}
        {board && <BoardPage key={board.name} board={board} range={range} />}
        {kind === 'boards' && board === undefined && <Unknown name={address.name ?? ''} what="board" />}
        {shown === undefined && <StartView />}
      </Frame>
    </PageContext.Provider>
  );
}

const TITLES = { sql: 'SQL', tables: 'Tables', boards: 'Boards' } as const;

/** The range that a board opens with. */
const rangeOfBoard = ({ range: { as_of: asOf, ...range } }: ConsoleBoard): Range => (asOf === undefined ? range : { ...range, asOf });

/** Undefined for the overview. */
const titleOf = ({ endpoint, page, name }: Address): string | undefined => endpoint ?? name ?? (page && TITLES[page]);

/** What a query does with the range. */
function reachOf(endpoint: ConsoleEndpoint): string {
  const { from, to, asOf } = partsOf(endpoint);
  const used = [from !== undefined && 'From', to !== undefined && 'To', asOf !== undefined && 'As of'].filter((part) => part !== false);
  const name = visible(endpoint.name);
  if (used.length === 0) return `${name} has no parameters for a range, so it uses none of it.`;
  return used.length === 3 ? '' : `${name} uses ${used.join(' and ')} only.`;
}

function Unknown({ name, what = 'query' }: { readonly name: string; readonly what?: 'query' | 'board' }) {
  return (
    <div class="welcome">
      <h1 tabindex={-1}>No such {what}</h1>
      <p>
        There is no {what === 'query' ? 'saved query' : what} named {name} here, or your key does not cover it.
      </p>
    </div>
  );
}

function NoSql() {
  return (
    <div class="welcome">
      <h1 tabindex={-1}>No SQL page</h1>
      <p>Your key does not cover SQL over all tables: that takes a key with the scope /sql.</p>
    </div>
  );
}

render(<App />, document.body);
