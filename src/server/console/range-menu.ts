// The control for the range of time that queries share, in the head of the page.
import type { Range } from './address.ts';
import { announce, button, element } from './element.ts';
import { rangeText } from './range.ts';
import { RELATIVE_TIMES } from './relative-time.ts';

interface RangeMenu {
  readonly element: HTMLElement;
  /** `reach` says which parts the page uses. */
  show(range: Range, reach: string): void;
}

const PRESETS = RELATIVE_TIMES.filter(([text]) => text !== 'now');
const FIELDS = [
  ['from', 'From', 'such as -1h'],
  ['to', 'To', 'such as now'],
  ['asOf', 'As of', 'counts as now'],
] as const;

export function rangeMenu(onChosen: (range: Range) => void): RangeMenu {
  const summary = element('summary', {});
  const reach = element('p', { class: 'hint' });
  const inputs = FIELDS.map(([part, label, placeholder]) => {
    const id = `range-${part}`;
    const input = element('input', { id, placeholder, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
    return { part, input, box: element('div', { class: 'range-field' }, element('label', { for: id }, label), input) };
  });
  const choose = (range: Range) => {
    menu.open = false;
    summary.focus();
    onChosen(range);
    announce(rangeText(range) === '' ? 'no time range' : `time range: ${rangeText(range)}`);
  };
  const read = (): Range =>
    Object.fromEntries(inputs.flatMap(({ part, input }) => (input.value.trim() === '' ? [] : [[part, input.value.trim()]])));
  const preset = element(
    'select',
    {
      'aria-label': 'Length of the range',
      onchange: () => {
        const { asOf } = read();
        choose({ from: preset.value, to: 'now', ...(asOf === undefined ? {} : { asOf }) });
      },
    },
    element('option', { value: '' }, 'Since…'),
    ...PRESETS.map(([text, label]) => element('option', { value: text }, label)),
  );
  const form = element(
    'form',
    {
      class: 'menu-items range-form',
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        choose(read());
      },
    },
    preset,
    ...inputs.map(({ box }) => box),
    element('p', { class: 'hint' }, 'UTC. Queries that you open keep the range.'),
    reach,
    element(
      'div',
      { class: 'actions' },
      element('button', { type: 'submit', class: 'primary' }, 'Apply'),
      button('No range', () => choose({})),
    ),
  );
  const menu = element('details', { class: 'menu range-menu' }, summary, form);
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    summary.focus();
  });
  menu.addEventListener('focusout', (event) => {
    if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  return {
    element: menu,
    show(range, text) {
      const words = rangeText(range);
      summary.replaceChildren(element('span', { class: 'range-words' }, words === '' ? 'Time range' : words));
      summary.setAttribute('aria-label', words === '' ? 'Time range' : `Time range: ${words}`);
      for (const { part, input } of inputs) input.value = range[part] ?? '';
      preset.value = '';
      reach.textContent = text;
    },
  };
}
