// The endpoints and boards of a server while the files of their saved queries change, and what callers' SQL makes of the queries.
import { LRUCache } from 'lru-cache';
import { messageOf, type QuernError } from '../../base/errors.ts';
import type { CallersText } from '../../execution/callers-text.ts';
import { callersQuery, type GivenParameter } from '../../execution/one-off.ts';
import { type PrepareDependencies, prepareQuery, usesNow } from '../../execution/prepared-query.ts';
import { prepareSandboxed } from '../../execution/sandbox.ts';
import { type Snapshot, withCurrent } from '../../execution/snapshot.ts';
import { errorBody } from '../../output/error-body.ts';
import type { CallerNames } from '../../queries/caller-names.ts';
import type { SavedQuery } from '../../queries/saved-query.ts';
import { CALLERS_TEXT } from '../http/failure.ts';
import type { Logger } from '../observe/log.ts';
import type { Translator } from '../translation/translator.ts';
import { type EndpointTable, NO_ENDPOINTS, type Reload, reloadEndpoints } from './endpoints.ts';
import { LiveBoards, type LiveBoardsOptions } from './live-boards.ts';
import { createPreparedSlots, type PreparedSlot } from './prepared-slot.ts';

interface LiveEndpointsOptions extends LiveBoardsOptions {
  readonly snapshot: () => Promise<Snapshot>;
  readonly translator: Translator;
  /** Returns whether callers may send SQL of their own for the query. */
  readonly takesSql: (query: SavedQuery) => boolean;
  /** Called when the table has been read. */
  readonly onRead: () => void;
}

/** Texts of callers whose prepared queries are kept. */
const MOST_SANDBOXED = 200;

export class LiveEndpoints {
  table: EndpointTable = NO_ENDPOINTS;
  readonly boards: LiveBoards;
  readonly #options: LiveEndpointsOptions;
  readonly #slots = createPreparedSlots();
  readonly #sandboxes = new LRUCache<string, PreparedSlot>({ max: MOST_SANDBOXED });
  #reading: Promise<void> = Promise.resolve();

  constructor(options: LiveEndpointsOptions) {
    this.#options = options;
    this.boards = new LiveBoards(options);
  }

  readonly prepareAgain = this.#slots.prepareAgain;

  /** The slot of a caller's SQL; see Sandboxed. */
  readonly sandboxed = (query: SavedQuery, sql: string, secret: boolean): PreparedSlot => {
    const { translator, takesSql: enabled } = this.#options;
    const key = `${query.name}\n${secret}\n${sql}`;
    const slot =
      this.#sandboxes.get(key) ??
      this.#slots.slot(async (waiters, signal) => {
        const translate = (text: CallersText) => translator.translate(text, waiters, signal);
        return this.#preparing((deps) => prepareSandboxed(query, sql, deps, { enabled, secret, translate }));
      });
    this.#sandboxes.set(key, slot);
    return slot;
  };

  /** The slot of a query that a caller has written, the same one for the same text, types of values, meaning of names and bounds. */
  readonly typed = (
    text: string,
    given: readonly GivenParameter[],
    names: CallerNames & { readonly key: string },
    bounds: Partial<Pick<SavedQuery, 'maxRows' | 'ttlSeconds'>> = {},
  ): PreparedSlot => {
    const { translator } = this.#options;
    const key = JSON.stringify([text, given.map(({ declaration }) => declaration), names.key, bounds]);
    const slot =
      this.#sandboxes.get(key) ??
      this.#slots.slot(async (waiters, signal) => {
        const translate = (callers: CallersText) => translator.translate(callers, waiters, signal);
        const query = { ...(await callersQuery({ name: CALLERS_TEXT, text }, given)), ...bounds };
        return this.#preparing((deps) => prepareQuery(query, { ...deps, names }, { translate }));
      });
    this.#sandboxes.set(key, slot);
    return slot;
  };

  /** Throws what reading the saved queries throws. */
  read(): Promise<void> {
    this.#reading = this.#read();
    return this.#reading;
  }

  /** Reads the saved queries again, one time after the other: files that change meanwhile are read once more. */
  reload(): Promise<void> {
    this.#reading = this.#reading
      .then(() => this.#read())
      .catch((error: unknown) => {
        this.#options.log.error({ error: { message: messageOf(error) } }, 'the saved queries cannot be read, so they stay as they were');
      });
    return this.#reading;
  }

  /** It costs memory, and most servers have no use for it. `needed`: not only endpoints take SQL. */
  startTranslator(needed: boolean): void {
    const { translator, takesSql } = this.#options;
    if (needed || this.table.endpoints.some(({ query }) => takesSql(query))) translator.start();
  }

  async #read(): Promise<void> {
    const { catalog, log, onRead } = this.#options;
    const reload = await reloadEndpoints(this.table, {
      slots: this.#slots,
      list: catalog.list,
      isCurrent: (prepared) => usesNow(prepared, catalog),
      prepared: (query) => this.#preparing((deps) => prepareQuery(query, deps)),
    });
    this.table = reload.table;
    this.#sandboxes.clear();
    this.boards.read();
    report(log, reload);
    onRead();
  }

  #preparing<T>(work: (deps: PrepareDependencies) => Promise<T>): Promise<T> {
    const { catalog, snapshot } = this.#options;
    return withCurrent(snapshot, ({ sources }) => work({ catalog, sources }));
  }
}

const SERVED = {
  'not at all': 'not served',
  'as it was before': 'served as it was before',
  'once its source can be read': 'served once its source can be read',
} as const;

function report(log: Logger, { added, changed, removed, mended, newlyBroken }: Reload): void {
  if (added.length + changed.length + removed.length > 0) log.info({ added, changed, removed }, 'saved queries read');
  for (const endpoint of mended) log.info({ endpoint }, 'the saved query no longer has errors');
  for (const { name, error, served } of newlyBroken) {
    log.error({ endpoint: name, error: withPlace(error) }, `a saved query has errors: it is ${SERVED[served]}`);
  }
}

/** Without hints, which are for who wrote the text. */
function withPlace(error: QuernError): object {
  const { code, message, position } = errorBody(error).error;
  return { code, message, ...(position === undefined ? {} : { position }) };
}
