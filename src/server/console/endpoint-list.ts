// The list of saved queries, with a search.

import { writeAddress } from './address.ts';
import type { ConsoleEndpoint } from './contract.ts';
import { button, element } from './element.ts';

interface EndpointList {
  readonly element: HTMLElement;
  select(name: string | undefined): void;
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

  const fill = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    const found = endpoints.filter(({ name, description }) => words.every((word) => `${name} ${description}`.toLowerCase().includes(word)));
    count.textContent = found.length === endpoints.length ? '' : `${found.length} of ${endpoints.length}`;
    list.replaceChildren(
      ...found.map(({ name, description }) =>
        element(
          'li',
          {},
          element(
            'a',
            {
              href: writeAddress({ endpoint: name, values: {}, view: 'rows', run: false }),
              'aria-current': name === selected ? 'page' : undefined,
            },
            element('span', { class: 'list-name' }, name),
            description !== '' && element('span', { class: 'list-description' }, description),
          ),
        ),
      ),
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
  };
}
