// The page before a query is chosen: what was run lately, what can be read and until when, and whether the engine answers.
import { visible } from '../../output/visible.ts';
import { readAddress } from './address.ts';
import type { ConsoleInfo, ConsoleOverview } from './contract.ts';
import { button, element } from './element.ts';
import { forgetRuns, recentRuns } from './recent.ts';
import type { Server } from './server.ts';

export function startView({ endpoints, oversees }: ConsoleInfo, server: Server): HTMLElement {
  const overview = element('div', {});
  const page = element(
    'div',
    { class: 'welcome' },
    element('h1', { tabindex: -1 }, 'Saved queries'),
    element('p', {}, endpoints.length === 0 ? 'There are none that you can use.' : 'Choose one from the list.'),
    recent(new Set(endpoints.map(({ name }) => name))),
    overview,
  );
  if (oversees) {
    void server.overview().then((told) => {
      if (told !== undefined) overview.replaceChildren(...sources(told));
    });
  }
  return page;
}

function recent(known: ReadonlySet<string>): HTMLElement {
  const runs = recentRuns().filter(({ endpoint }) => known.has(endpoint));
  const box = element('section', { class: 'start-part', hidden: runs.length === 0 });
  const entry = ({ endpoint, hash }: (typeof runs)[number]) => {
    const values = Object.entries(readAddress(hash).values).map(([name, value]) => `${name}: ${value.join(', ')}`);
    return element(
      'li',
      {},
      element('a', { href: hash }, visible(endpoint)),
      values.length > 0 && element('span', { class: 'soft' }, ` ${visible(values.join(' · '))}`),
    );
  };
  box.append(
    element('h2', {}, 'Recent'),
    element('ul', { class: 'start-list' }, ...runs.map(entry)),
    button('Forget these', () => {
      forgetRuns();
      box.hidden = true;
    }),
  );
  return box;
}

function sources({ engine, sources: all }: ConsoleOverview): readonly HTMLElement[] {
  const state =
    engine === undefined
      ? element('p', { class: 'start-engine' }, element('span', { class: 'tag hit' }, 'ready'), ' The engine answers.')
      : element('p', { class: 'start-engine' }, element('span', { class: 'tag warn' }, 'not ready'), ` ${visible(engine)}`);
  const head = ['source', 'rows', 'from', 'to'].map((name) => element('th', { scope: 'col' }, name));
  const rows = all.map(({ name, rows: count, first, last }) =>
    element(
      'tr',
      {},
      element('td', {}, visible(name)),
      element('td', { class: 'number' }, count.toLocaleString('en')),
      element('td', {}, shortTime(first)),
      element('td', {}, shortTime(last)),
    ),
  );
  const table = element('table', { class: 'rows' }, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows));
  const data =
    rows.length === 0
      ? []
      : [element('h2', {}, 'Data'), element('div', { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Data' }, table)];
  return [element('section', { class: 'start-part' }, ...data, state)];
}

const shortTime = (time: string | undefined): string => (time === undefined ? '–' : time.replace(/\.\d+Z$/, 'Z'));
