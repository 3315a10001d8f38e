// Above the rows: what they are filtered by, how many are left, and a field to find text in them.
import { visible } from '../../output/visible.ts';
import { button, element } from './element.ts';
import { type Filter, isFiltering, NO_FILTER, withChoice } from './filter.ts';

interface FilterBar {
  readonly element: HTMLElement;
  /** `left` of `all` rows fit the filter. `bare`: without what is for rows that are listed. */
  show(filter: Filter, left: number, all: number, bare: boolean): void;
}

/** Between letters: many rows take a moment to look through. */
const PAUSE_MS = 120;

export function filterBar(onChanged: (filter: Filter) => void, actions: readonly HTMLElement[]): FilterBar {
  let current = NO_FILTER;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const find = element('input', {
    id: 'find',
    type: 'search',
    placeholder: 'Find in these rows',
    'aria-label': 'Find in these rows',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => onChanged({ ...current, find: find.value }), PAUSE_MS);
    },
  });
  const chips = element('ul', { class: 'chips' });
  const told = element('p', { class: 'hint', role: 'status' });
  const clear = button('Show all', () => {
    find.value = '';
    onChanged(NO_FILTER);
    find.focus();
  });
  const tools = element('div', { class: 'actions' }, ...actions);
  const box = element('div', { class: 'filter-bar' }, find, chips, told, clear, tools);
  const chip = (kind: 'only' | 'without', text: string) => {
    const words = visible(kind === 'only' ? text.replace('=', ' is ') : text.replace('=', ' is not '));
    return element(
      'li',
      {},
      element(
        'button',
        {
          type: 'button',
          class: `chip ${kind}`,
          'aria-label': `Remove the filter ${words}`,
          onclick: () => {
            onChanged(withChoice(current, kind, text));
            find.focus();
          },
        },
        element('span', { class: 'chip-text' }, words),
        element('span', { 'aria-hidden': 'true' }, ' ×'),
      ),
    );
  };
  return {
    element: box,
    show(filter, left, all, bare) {
      current = filter;
      const typing = document.activeElement === find;
      const filtering = isFiltering(filter);
      if (!typing && find.value.trim() !== filter.find.trim()) find.value = filter.find;
      chips.replaceChildren(...filter.only.map((text) => chip('only', text)), ...filter.without.map((text) => chip('without', text)));
      told.textContent = filtering
        ? `${left.toLocaleString('en')} of the ${all === 1 ? '1 row' : `${all.toLocaleString('en')} rows`} that came. Downloads have all of them.`
        : '';
      clear.hidden = !filtering;
      [find.hidden, tools.hidden] = [bare, bare];
      box.hidden = all === 0 || (bare && !filtering);
    },
  };
}
