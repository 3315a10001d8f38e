// The console: the list of saved queries beside the one that is looked at. What is shown follows the page's address.

import { visible } from '../../output/visible.ts';
import { type Address, type Range, readAddress, START, writeAddress } from './address.ts';
import type { ConsoleEndpoint, ConsoleInfo } from './contract.ts';
import { button, element } from './element.ts';
import { endpointList } from './endpoint-list.ts';
import { failureBox } from './failure-box.ts';
import { createKeyHolder, keyForm } from './key.ts';
import { type QueryView, queryView } from './query-view.ts';
import { partsOf, rangeOf, withRange } from './range.ts';
import { rangeMenu } from './range-menu.ts';
import { createServer, type Failure } from './server.ts';
import { startView } from './start-view.ts';

const key = createKeyHolder();
const server = createServer(key.get);
const main = part('main');
const nav = part('nav');
const top = part('header');
let leave: () => void = () => undefined;

function part(name: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(name);
  if (found === null) throw new Error(`the page has no <${name}>`);
  return found;
}

async function start(): Promise<void> {
  leave();
  const asked = await server.info();
  if ('got' in asked) leave = open(asked.got);
  else if (asked.failure.status === 401) askForKey(asked.failure);
  else {
    head();
    main.replaceChildren(failureBox(asked.failure, () => void start()));
  }
}

function askForKey(failure: Failure): void {
  leave();
  leave = () => undefined;
  const tried = key.get() !== '';
  key.set('');
  head();
  nav.replaceChildren();
  document.title = 'API key · quern';
  document.body.dataset['shows'] = 'query';
  main.replaceChildren(
    keyForm(failure, tried, (text) => {
      key.set(text);
      void start();
    }),
  );
}

function head(info?: ConsoleInfo, range?: HTMLElement): void {
  const keyName = info?.key;
  top.replaceChildren(
    element('a', { class: 'brand home', href: '#/' }, 'quern'),
    ...(info === undefined
      ? []
      : [element('span', { class: 'soft version' }, info.version), element('a', { class: 'back home', href: '#/' }, 'All queries')]),
    element('span', { class: 'space' }),
    ...(range === undefined ? [] : [range]),
    element('a', { class: 'playground-link', href: 'playground' }, 'Playground'),
    ...(keyName === undefined
      ? []
      : [
          element('span', { class: 'soft key-name' }, `key: ${keyName}`),
          button('Forget key', () => {
            key.set('');
            void start();
          }),
        ]),
  );
}

/** Gives the way out. */
function open(info: ConsoleInfo): () => void {
  let current: Address = START;
  const endpointOf = ({ endpoint: name }: Address) => info.endpoints.find((one) => one.name === name);
  const chosen = rangeMenu((range) => go(withRange(endpointOf(current), current, range)));
  head(info, chosen.element);
  const list = endpointList(info.endpoints);
  nav.replaceChildren(list.element);
  let view: QueryView | undefined;
  /** Null before anything is shown. */
  let shown: string | undefined | null = null;

  const hrefOf = (endpoint: ConsoleEndpoint, range: Range) =>
    writeAddress(withRange(endpoint, { ...START, endpoint: endpoint.name }, range));
  const apply = (address: Address, again = false) => {
    const { endpoint: name } = address;
    const endpoint = endpointOf(address);
    const range = rangeOf(endpoint, address);
    current = address;
    chosen.show(range, endpoint === undefined ? '' : reachOf(endpoint));
    list.link((one) => hrefOf(one, range));
    for (const link of document.querySelectorAll('.home')) link.setAttribute('href', writeAddress({ ...START, range }));
    const isNew = shown !== name;
    if (isNew || name === undefined) {
      view?.remove();
      view = undefined;
      shown = name;
      list.select(name);
      document.body.dataset['shows'] = name === undefined ? 'list' : 'query';
      document.title = name === undefined ? 'quern' : `${name} · quern`;
      if (endpoint !== undefined) {
        view = queryView({ endpoint, info, server, go, onNoKey: askForKey, onStarred: () => list.refresh() });
        main.replaceChildren(view.element);
      } else if (name !== undefined) main.replaceChildren(unknown(name));
      else {
        const toRange = (wanted: Range) => go({ ...START, range: wanted });
        main.replaceChildren(startView({ info, server, hrefOf: (one) => hrefOf(one, range), onRange: toRange }));
      }
    }
    view?.apply(address, again);
    if (isNew && !first) main.querySelector('h1')?.focus();
    first = false;
  };
  let first = true;

  const go = (address: Address, replace?: 'replace') => {
    const hash = writeAddress(address);
    const same = hash === writeAddress(readAddress(location.hash));
    if (!same) history[replace === undefined ? 'pushState' : 'replaceState'](null, '', hash);
    apply(address, replace === undefined);
  };
  const follow = () => apply(readAddress(location.hash));
  window.addEventListener('popstate', follow);
  follow();
  return () => {
    window.removeEventListener('popstate', follow);
    view?.remove();
  };
}

/** What a query does with the range. */
function reachOf(endpoint: ConsoleEndpoint): string {
  const { from, to, asOf } = partsOf(endpoint);
  const used = [from !== undefined && 'From', to !== undefined && 'To', asOf !== undefined && 'As of'].filter((part) => part !== false);
  const name = visible(endpoint.name);
  if (used.length === 0) return `${name} has no parameters for a range, so it uses none of it.`;
  return used.length === 3 ? '' : `${name} uses ${used.join(' and ')} only.`;
}

function unknown(name: string): HTMLElement {
  return element(
    'div',
    { class: 'welcome' },
    element('h1', { tabindex: -1 }, 'No such query'),
    element('p', {}, `There is no saved query named ${name} here, or your key does not cover it.`),
  );
}

// The address holds what is shown, so the link must not change it.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
void start();
