// The page before a query is chosen: favourites, what was run lately, what can be read and of which time, and whether the engine answers.
import { visible } from '../../output/visible.ts';
import { type Range, readAddress } from './address.ts';
import type { ConsoleEndpoint, ConsoleInfo, ConsoleOverview, ConsoleSource } from './contract.ts';
import { button, element } from './element.ts';
import { favourites } from './favourites.ts';
import { forgetRuns, recentRuns } from './recent.ts';
import type { Server } from './server.ts';

interface StartViewOptions {
  readonly info: ConsoleInfo;
  readonly server: Server;
  readonly hrefOf: (endpoint: ConsoleEndpoint) => string;
  readonly onRange: (range: Range) => void;
}

export function startView({ info: { endpoints, oversees }, server, hrefOf, onRange }: StartViewOptions): HTMLElement {
  const [facts, data] = [element('div', {}), element('div', {})];
  if (oversees) {
    void server.overview().then((told) => {
      if (told === undefined) return;
      facts.replaceChildren(factsOf(endpoints.length, told));
      if (told.sources.length > 0) data.replaceChildren(dataOf(told.sources, onRange));
    });
  }
  const starred = new Set(favourites());
  const parts = [
    favouritesOf(
      endpoints.filter(({ name }) => starred.has(name)),
      hrefOf,
    ),
    recent(new Set(endpoints.map(({ name }) => name))),
  ];
  return element(
    'div',
    { class: 'welcome' },
    element('h1', { tabindex: -1 }, 'Overview'),
    element(
      'p',
      { class: 'description soft' },
      endpoints.length === 0 ? 'There are no saved queries that you can use.' : 'Choose a saved query from the list.',
    ),
    facts,
    element('div', { class: 'start-parts' }, ...parts),
    data,
  );
}

function favouritesOf(starred: readonly ConsoleEndpoint[], hrefOf: (endpoint: ConsoleEndpoint) => string): HTMLElement {
  const entry = (endpoint: ConsoleEndpoint) =>
    element(
      'li',
      {},
      element('a', { href: hrefOf(endpoint) }, visible(endpoint.name)),
      endpoint.description !== '' && element('span', { class: 'start-about' }, visible(endpoint.description)),
    );
  return part(
    'Favourites',
    starred.length === 0
      ? element('p', { class: 'soft' }, 'The star beside the name of a query puts it here.')
      : element('ul', { class: 'start-list' }, ...starred.map(entry)),
  );
}

function recent(known: ReadonlySet<string>): HTMLElement {
  const runs = recentRuns().filter(({ endpoint }) => known.has(endpoint));
  const entry = ({ endpoint, hash }: (typeof runs)[number]) => {
    const values = Object.entries(readAddress(hash).values).map(([name, value]) => `${name}: ${value.join(', ')}`);
    return element(
      'li',
      {},
      element('a', { href: hash }, visible(endpoint)),
      values.length > 0 && element('span', { class: 'start-about' }, visible(values.join(' · '))),
    );
  };
  const none = () => element('p', { class: 'soft' }, 'What you run in this tab is listed here.');
  if (runs.length === 0) return part('Recent', none());
  const list = element('ul', { class: 'start-list' }, ...runs.map(entry));
  const forget = button('Forget these', () => {
    forgetRuns();
    list.replaceWith(none());
    forget.remove();
  });
  return part('Recent', list, forget);
}

const part = (title: string, ...content: readonly HTMLElement[]): HTMLElement =>
  element('section', { class: 'start-part' }, element('h2', {}, title), ...content);

function factsOf(queries: number, { engine, sources }: ConsoleOverview): HTMLElement {
  const rows = sources.reduce((sum, { rows: count }) => sum + count, 0);
  const last = sources
    .flatMap(({ last: time }) => time ?? [])
    .sort()
    .at(-1);
  const fact = (name: string, value: string, kind = '') =>
    element('div', { class: `fact ${kind}` }, element('dt', {}, name), element('dd', {}, value));
  return element(
    'dl',
    { class: 'start-facts' },
    fact('Engine', engine === undefined ? 'ready' : `not ready: ${visible(engine)}`, engine === undefined ? 'good' : 'bad'),
    fact('Saved queries', queries.toLocaleString('en')),
    // Those of a ClickHouse server are not counted.
    ...(sources.length === 0 ? [] : [fact('Sources', sources.length.toLocaleString('en')), fact('Rows', rows.toLocaleString('en'))]),
    ...(last === undefined ? [] : [fact('Newest row', shortTime(last).slice(0, 16).replace('T', ' '), 'time')]),
  );
}

function dataOf(sources: readonly ConsoleSource[], onRange: (range: Range) => void): HTMLElement {
  const head = ['source', 'rows', 'from', 'to', 'time'].map((name) => element('th', { scope: 'col' }, name));
  const times = sources.flatMap(({ first, last }) => [first, last].flatMap((time) => (time === undefined ? [] : [Date.parse(time)])));
  const [begin, end] = [Math.min(...times), Math.max(...times)];
  const row = ({ name, rows: count, first, last }: ConsoleSource) =>
    element(
      'tr',
      {},
      element('td', {}, visible(name)),
      element('td', { class: 'number' }, count.toLocaleString('en')),
      element('td', {}, shortTime(first)),
      element('td', {}, shortTime(last)),
      element(
        'td',
        { class: 'span' },
        first !== undefined &&
          last !== undefined &&
          spanBar((Date.parse(first) - begin) / (end - begin), (Date.parse(last) - begin) / (end - begin)),
        first !== undefined &&
          last !== undefined &&
          button('Use this range', () => onRange(rangeAround(first, last)), { 'aria-label': `Use this range: ${visible(name)}` }),
      ),
    );
  const table = element(
    'table',
    { class: 'rows' },
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...sources.map(row)),
  );
  return part('Data', element('div', { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Data' }, table));
}

/** Whole minutes that hold all of it; the end of the data counts as now. */
function rangeAround(first: string, last: string): Range {
  const minute = 60_000;
  const iso = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
  const end = iso(Math.ceil((Date.parse(last) + 1) / minute) * minute);
  return { from: iso(Math.floor((Date.parse(first) - 1) / minute) * minute), to: end, asOf: end };
}

/** Where a source's time lies in that of all; both from 0 to 1. */
function spanBar(from: number, to: number): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const bar = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const [start, stop] = [Number.isFinite(from) ? from : 0, Number.isFinite(to) ? to : 1];
  const place = { x: start * 100, y: 0, width: Math.max(1, (stop - start) * 100), height: 8 };
  for (const [key, value] of Object.entries({
    viewBox: '0 0 100 8',
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
    class: 'span-bar',
  }))
    svg.setAttribute(key, value);
  for (const [key, value] of Object.entries(place)) bar.setAttribute(key, String(value));
  svg.append(bar);
  return svg;
}

const shortTime = (time: string | undefined): string => (time === undefined ? '–' : time.replace(/\.\d+Z$/, 'Z'));
