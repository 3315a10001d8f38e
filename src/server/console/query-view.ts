// A saved query: its form, its runs, and what came of them. The address says what is shown; whatever is chosen here goes there first.
import { visible } from '../../output/visible.ts';
import { type Address, LIVE_SECONDS, START, VIEWS, type View, writeAddress } from './address.ts';
import type { ConsoleColumn, ConsoleEndpoint, ConsoleInfo } from './contract.ts';
import { downloads } from './downloads.ts';
import { announce, button, element } from './element.ts';
import { elsewhereView } from './elsewhere-view.ts';
import { emptyNote } from './empty-note.ts';
import { failureBox } from './failure-box.ts';
import { favourites, setFavourite } from './favourites.ts';
import { NO_FILTER } from './filter.ts';
import { queryForm } from './query-form.ts';
import { rememberRun } from './recent.ts';
import { resultView } from './result-view.ts';
import { readRows } from './rows.ts';
import { createRunBar } from './run-bar.ts';
import { sandboxEditor } from './sandbox-editor.ts';
import { sentValues } from './sent-values.ts';
import type { Failure, Question, Server } from './server.ts';
import { sqlView } from './sql-view.ts';
import { createTabs } from './tabs.ts';
import { valueActions } from './value-actions.ts';

export interface QueryView {
  readonly element: HTMLElement;
  /** `again` runs the query even if it has been run with these values. */
  apply(address: Address, again?: boolean): void;
  remove(): void;
}

interface QueryViewOptions {
  readonly endpoint: ConsoleEndpoint;
  readonly info: ConsoleInfo;
  readonly server: Server;
  /** Makes it the page's address, and runs it; `replace` leaves no way back to the one before, and runs only what has not been run. */
  readonly go: (address: Address, replace?: 'replace') => void;
  readonly onNoKey: (failure: Failure) => void;
  /** The query was made a favourite, or is one no longer. */
  readonly onStarred: () => void;
}

const LABELS: Readonly<Record<View, string>> = { logs: 'Logs', rows: 'Rows', chart: 'Chart', sql: 'SQL', elsewhere: 'Commands' };

export function queryView({ endpoint, info, server, go, onNoKey, onStarred }: QueryViewOptions): QueryView {
  let address: Address = { ...START, endpoint: endpoint.name };
  let asked: Question | undefined;
  let shownKey: string | undefined;
  /** Of the last run, however it ended. */
  let ranKey: string | undefined;
  let running: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sqlShown: string | undefined;

  const form = queryForm(endpoint);
  const sandbox = endpoint.takesSql
    ? sandboxEditor(
        () => submit(),
        async (sql, offset) => {
          const asked = await server.complete({ endpoint: endpoint.name, sql, offset });
          return 'got' in asked ? asked.got.suggestions : [];
        },
      )
    : undefined;
  const trouble = element('div', { class: 'trouble' });
  const filters = element('div', {});
  const tabs = createTabs(
    VIEWS.map((name) => ({ name, label: LABELS[name] })),
    (view) => {
      const { view: _, ...rest } = address;
      go(view === 'rows' && !result.isLog() ? rest : { ...rest, view }, 'replace');
    },
    { above: filters },
  );

  const question = (values: Address['values'], sql: string | undefined): Question => ({
    endpoint: endpoint.name,
    values: sentValues(endpoint, values, Date.now()),
    ...(sql === undefined ? {} : { sql }),
  });
  const result = resultView({
    panel: tabs.panel,
    actions: [
      downloads({
        formats: info.formats,
        id: endpoint.id,
        server,
        question: () => asked ?? question(address.values, address.sql),
        onFailure: (failure) => trouble.replaceChildren(failureBox(failure)),
      }),
    ],
    actionsOf: (path, value) =>
      valueActions(path, value, {
        endpoint,
        filter: address.filter,
        onFilter: (filter) => go({ ...address, filter }, 'replace'),
        onParameter: (name, text) => go({ ...address, values: { ...address.values, [name]: [text] }, filter: NO_FILTER, run: true }),
      }),
    onFilter: (filter) => go({ ...address, filter }, 'replace'),
    onLook: (look) => go({ ...address, look }, 'replace'),
  });
  filters.append(result.filters);
  /** What was chosen; else the rows, as a log where they are one. */
  const viewOf = (): View => address.view ?? (result.isLog() ? 'logs' : 'rows');

  const submit = () => {
    const sql = sandbox?.text();
    const { sql: _, view, ...rest } = address;
    const kept = view === 'sql' || view === 'elsewhere' || view === undefined ? {} : { view };
    go({ ...rest, ...kept, values: form.read(), ...(sql === undefined ? {} : { sql }), run: true });
  };
  const bar = createRunBar({ cancel: () => running?.abort() });
  const live = element(
    'select',
    {
      id: 'live',
      onchange: () => {
        const { live: _, ...rest } = address;
        go({ ...rest, ...(live.value === '' ? {} : { live: Number(live.value) }) }, 'replace');
      },
    },
    element('option', { value: '' }, 'off'),
    ...LIVE_SECONDS.map((seconds) =>
      element('option', { value: seconds }, seconds < 60 ? `every ${seconds} s` : `every ${seconds / 60} min`),
    ),
  );
  const refresh = button('Refresh', () => void run(true), { title: 'Run again, bypassing the cache' });
  refresh.hidden = endpoint.ttlSeconds === 0 || !info.mayRefresh;
  const again = element('div', { class: 'again', hidden: true }, refresh, element('label', { for: 'live' }, 'Live'), live);

  const run = async (fresh: boolean) => {
    running?.abort();
    clearTimeout(timer);
    const own = new AbortController();
    running = own;
    // What the address says, not what may have been written into the form since.
    asked = question(address.values, address.sql);
    const key = keyOf(address);
    ranKey = key;
    bar.begin();
    form.fold();
    try {
      const [given, columns] = await Promise.all([server.ask({ ...asked, fresh, signal: own.signal }), columnsOf(asked, own.signal)]);
      if (running !== own) return;
      if ('failure' in given) fail(given.failure, key);
      else {
        result.set({ rows: readRows(given.got.text, columns), reply: given.got });
        shownKey = key;
        form.complain(undefined);
        trouble.replaceChildren();
        rememberRun({ endpoint: endpoint.name, hash: writeAddress(address) });
        again.hidden = false;
        if (result.isEmpty() && info.oversees && asked.sql === undefined) void explainEmpty(asked);
      }
    } catch (error) {
      if (running !== own) return;
      if (!own.signal.aborted) {
        fail(
          { status: 0, code: 'reply', message: `the reply cannot be read: ${error instanceof Error ? error.message : String(error)}` },
          key,
        );
        return;
      }
      trouble.replaceChildren(element('p', { class: 'note' }, 'Cancelled: the server was told to stop.'));
      announce('cancelled');
    } finally {
      if (running === own) {
        running = undefined;
        bar.end();
        show();
        schedule();
      }
    }
  };

  const explainEmpty = async (question: Question) => {
    const why = await server.whyEmpty(question);
    if (question !== asked || !result.isEmpty()) return;
    const [instant] = endpoint.parameters.filter(({ instant: is }) => is === true);
    const note = emptyNote(why, (asOf) => {
      if (instant !== undefined) go({ ...address, values: { ...address.values, [instant.name]: [asOf] }, run: true });
    });
    if (note !== undefined) trouble.replaceChildren(note);
  };

  const fail = (failure: Failure, key: string) => {
    if (failure.status === 401) {
      onNoKey(failure);
      return;
    }
    if (key !== shownKey) {
      result.set(undefined);
      shownKey = undefined;
    }
    const rest = form.complain(failure) ?? failure;
    // What the caller must change stays wrong however often it is asked.
    const passing = failure.status === 0 || failure.status >= 429 || failure.code === 'query';
    trouble.replaceChildren(failureBox(rest, passing ? () => void run(false) : undefined));
  };

  const columnsOf = async ({ sql }: Question, signal: AbortSignal): Promise<readonly ConsoleColumn[] | undefined> => {
    if (sql === undefined) return endpoint.columns;
    const given = await server.sql({ endpoint: endpoint.name, sql }, signal);
    return 'got' in given ? given.got.columns : undefined;
  };

  const schedule = () => {
    clearTimeout(timer);
    if (address.live === undefined || !address.run) return;
    // A page that nobody looks at asks nothing.
    timer = setTimeout(() => (document.hidden ? schedule() : void run(false)), address.live * 1000);
  };

  const showSql = async () => {
    const panel = tabs.panel('sql');
    const sql = sandbox?.text();
    const key = sql ?? '';
    if (sqlShown === key) return;
    sqlShown = key;
    const given = await server.sql({ endpoint: endpoint.name, ...(sql === undefined ? {} : { sql }) });
    if (sqlShown !== key) return;
    if ('failure' in given) sqlShown = undefined;
    panel.replaceChildren('failure' in given ? failureBox(given.failure, () => void showSql()) : await sqlView(given.got));
  };

  const showCommands = () => {
    const asking = question(form.read(), sandbox?.text());
    tabs.panel('elsewhere').replaceChildren(
      elsewhereView(
        asking,
        info.authentication,
        endpoint.parameters.some(({ instant }) => instant === true),
      ),
    );
  };

  const show = () => {
    const view = viewOf();
    tabs.offer('logs', view === 'logs' || result.isLog());
    tabs.show(view);
    if (view === 'sql') void showSql();
    if (view === 'elsewhere') showCommands();
    void result.show(view, address);
  };

  const page = element(
    'article',
    {
      class: 'query',
      onkeydown: (event) => {
        if ((event as KeyboardEvent).key === 'Escape' && running !== undefined) running.abort();
      },
    },
    element('div', { class: 'query-head' }, element('h1', { tabindex: -1 }, visible(endpoint.name)), star(endpoint.name, onStarred)),
    endpoint.description !== '' && element('p', { class: 'description' }, visible(endpoint.description)),
    element('p', { class: 'facts' }, facts(endpoint)),
    element(
      'form',
      {
        novalidate: true,
        oninput: () => {
          if (viewOf() === 'elsewhere') showCommands();
        },
        onsubmit: (event) => {
          event.preventDefault();
          submit();
        },
      },
      form.element,
      sandbox?.element,
      endpoint.sqlBarred !== undefined &&
        element('p', { class: 'hint' }, `You cannot run your own SQL here: ${visible(endpoint.sqlBarred)}.`),
      bar.element,
    ),
    trouble,
    element('div', { class: 'result-head' }, result.summary, again),
    tabs.element,
  );

  return {
    element: page,
    apply(next, repeat = false) {
      const changed = keyOf(next) !== keyOf(address);
      address = next;
      if (changed || !next.run) {
        form.write(next.values);
        sandbox?.set(next.sql ?? '');
      }
      live.value = next.live === undefined ? '' : String(next.live);
      if (!next.run) {
        running?.abort();
        running = undefined;
        bar.end();
        result.set(undefined);
        form.complain(undefined);
        form.unfold();
        trouble.replaceChildren();
        again.hidden = true;
        shownKey = undefined;
        ranKey = undefined;
      }
      show();
      if (next.run && (repeat || keyOf(next) !== ranKey)) void run(false);
      else schedule();
    },
    remove() {
      clearTimeout(timer);
      running?.abort();
      running = undefined;
      result.remove();
    },
  };
}

function star(name: string, onStarred: () => void): HTMLButtonElement {
  const tell = () => {
    const starred = favourites().includes(name);
    made.setAttribute('aria-pressed', String(starred));
    made.textContent = starred ? '★' : '☆';
    return starred;
  };
  const made = button(
    '☆',
    () => {
      setFavourite(name, made.getAttribute('aria-pressed') !== 'true');
      announce(tell() ? `${name} is a favourite` : `${name} is no favourite any more`);
      onStarred();
    },
    { class: 'star', 'aria-label': 'Favourite', title: 'Favourite: on the overview, and marked in the list' },
  );
  tell();
  return made;
}

/** Equal for addresses that ask the same. */
const keyOf = ({ values, sql }: Address): string =>
  JSON.stringify([Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)), sql ?? '']);

function facts({ ttlSeconds, maxRows, dialect, takesSql, id }: ConsoleEndpoint): string {
  const cached = ttlSeconds === 0 ? 'not cached' : `cached for ${ttlSeconds % 60 === 0 ? `${ttlSeconds / 60} min` : `${ttlSeconds} s`}`;
  return [
    cached,
    `at most ${maxRows.toLocaleString('en')} rows`,
    dialect === 'clickhouse' ? 'ClickHouse SQL' : 'BigQuery SQL',
    ...(takesSql ? ['accepts your own SQL'] : []),
    id,
  ].join(' · ');
}
