// A record as a tree: groups that open and close, and values that can be acted upon. Loaded when a record is first looked at.
import { visible } from '../../output/visible.ts';
import { copyButton } from './clipboard.ts';
import { button, element } from './element.ts';
import { type Cell, isFields, isList, isNumber } from './exact-json.ts';
import { plainText } from './shown-text.ts';
import type { ActionsOf } from './value-actions.ts';

/** Groups below this are closed at first, and long lists and texts are cut. */
const [OPEN, MOST_ITEMS, MOST_TEXT] = [4, 200, 4000];

interface Place {
  readonly name: string;
  readonly path: readonly string[];
  readonly depth: number;
}

export function recordTree(entries: readonly (readonly [name: string, value: Cell])[], actionsOf: ActionsOf): HTMLElement {
  let opened: (() => void) | undefined;

  const leaf = (name: string, path: readonly string[], value: Cell): HTMLElement => {
    const full = plainText(value);
    const text = value === null ? 'NULL' : full === '' ? 'empty' : visible(full.slice(0, MOST_TEXT)) + (full.length > MOST_TEXT ? '…' : '');
    const shown = element(
      'button',
      {
        type: 'button',
        class: `tree-value ${kindOf(value)}`,
        'aria-expanded': 'false',
        title: 'Filter by this value, or copy it',
        onclick: () => toggle(),
      },
      text,
    );
    const item = element('li', { class: 'leaf' }, element('span', { class: 'tree-key' }, visible(name)), shown);
    const close = () => {
      item.querySelector('.actions')?.remove();
      shown.setAttribute('aria-expanded', 'false');
      opened = undefined;
    };
    const toggle = () => {
      const isOpen = shown.getAttribute('aria-expanded') === 'true';
      opened?.();
      if (isOpen) return;
      opened = close;
      shown.setAttribute('aria-expanded', 'true');
      const actions = actionsOf(path, value).map(({ label, act }) => button(visible(label), act));
      item.append(
        element(
          'div',
          { class: 'actions' },
          ...actions,
          copyButton('Copy', () => full),
        ),
      );
    };
    return item;
  };

  const group = ({ name, path, depth }: Place, cells: readonly (readonly [string, Cell])[], isRecord: boolean): HTMLElement => {
    const list = element('ul', {});
    const fill = () => {
      if (list.childElementCount > 0) return;
      list.append(...cells.slice(0, MOST_ITEMS).map(([key, value]) => branch(key, isRecord ? [...path, key] : path, value, depth + 1)));
      if (cells.length > MOST_ITEMS) list.append(element('li', { class: 'soft' }, `… and ${cells.length - MOST_ITEMS} more`));
    };
    const isOpen = depth < OPEN;
    if (isOpen) fill();
    return element(
      'li',
      {},
      element(
        'details',
        { open: isOpen, ontoggle: fill },
        element(
          'summary',
          {},
          element('span', { class: 'tree-key' }, visible(name)),
          element('span', { class: 'soft' }, ` ${cells.length}`),
        ),
        list,
      ),
    );
  };

  const branch = (name: string, path: readonly string[], value: Cell, depth: number): HTMLElement => {
    const place = { name, path, depth };
    if (isFields(value)) return group(place, value.fields, true);
    if (!isList(value)) return leaf(name, path, value);
    const [only] = value;
    // Records of log events are lists of one.
    if (value.length === 1 && only !== undefined && isFields(only)) return group(place, only.fields, true);
    return group(
      place,
      value.map((item, i) => [String(i), item] as const),
      false,
    );
  };

  return element('ul', { class: 'tree' }, ...entries.map(([name, value]) => branch(name, [name], value, 0)));
}

const kindOf = (value: Cell): string =>
  value === null || value === ''
    ? 'null'
    : typeof value === 'string'
      ? 'text'
      : typeof value === 'object' && isNumber(value)
        ? 'number'
        : 'other';
