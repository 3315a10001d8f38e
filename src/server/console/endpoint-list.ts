// The list of saved queries, with a search.

import type { ConsoleEndpoint } from './contract.ts';
import { button, element } from './element.ts';
import { favourites } from './favourites.ts';

interface EndpointList {
  readonly element: HTMLElement;
  select(name: string | undefined): void;
  /** Says where the links lead. */
  link(hrefOf: (endpoint: ConsoleEndpoint) => string): void;
  /** Reads the favourites again. */
  refresh(): void;
}

export function endpointList(endpoints: readonly ConsoleEndpoint[]): EndpointList {
  const count = element('p', { class: 'list-count', role: 'status' });
  const list = element('ul', { class: 'list' });
  const search = element('input', {
    id: 'search',
    type: 'search',
    placeholder: 'Search queries',
    'aria-label': 'Search queries',
    autocomplete: 'off',
    oninput: () => fill(),
    onkeydown: (event) => {
      if ((event as KeyboardEvent).key === 'Enter') list.querySelector('a')?.click();
    },
  });
  let selected: string | undefined;
  let hrefOf: (endpoint: ConsoleEndpoint) => string = () => '#/';

  const fill = () => {
    const starred = new Set(favourites());
    const words = search.value.toLowerCase().split(/\s+/);
    const found = endpoints.filter(({ name, description }) => words.every((word) => `${name} ${description}`.toLowerCase().includes(word)));
    count.textContent = found.length === endpoints.length ? '' : `${found.length} of ${endpoints.length}`;
    list.replaceChildren(
      ...found.map((endpoint) => {
        const { name, description } = endpoint;
        const star = starred.has(name) && element('span', { class: 'list-star', role: 'img', 'aria-label': 'favourite' }, '★');
        return element(
          'li',
          {},
          element(
            'a',
            {
              href: hrefOf(endpoint),
              'aria-current': name === selected ? 'page' : undefined,
            },
            element('span', { class: 'list-name' }, name),
            star,
            description !== '' && element('span', { class: 'list-description' }, description),
          ),
        );
      }),
    );
    if (found.length === 0) {
      list.append(
        element(
          'li',
          { class: 'nothing' },
          endpoints.length === 0 ? 'There are no saved queries that you can use. ' : 'No queries match. ',
          endpoints.length > 0 &&
            button('Show all', () => {
              search.value = '';
              fill();
              search.focus();
            }),
        ),
      );
    }
  };
  fill();
  return {
    element: element('div', { class: 'list-box' }, search, count, list),
    select(name) {
      selected = name;
      for (const link of list.querySelectorAll('a')) {
        if (link.querySelector('.list-name')?.textContent === name) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
      }
    },
    link(next) {
      hrefOf = next;
      const links = new Map([...list.querySelectorAll('a')].map((link) => [link.querySelector('.list-name')?.textContent, link]));
      for (const endpoint of endpoints) links.get(endpoint.name)?.setAttribute('href', hrefOf(endpoint));
    },
    refresh: fill,
  };
}
