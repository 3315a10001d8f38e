// A window with the whole of a cell: text as it is, records as a tree.

import { visible } from '../../output/visible.ts';
import { copyButton } from './clipboard.ts';
import { button, element } from './element.ts';
import { type Cell, isFields, isList } from './exact-json.ts';
import { plainText, shownLines } from './shown-text.ts';
import type { ActionsOf } from './value-actions.ts';

export async function openCell(column: string, cell: Cell, actionsOf: ActionsOf): Promise<void> {
  const isNested = isFields(cell) || isList(cell);
  const whole = text(column, cell);
  const content = isNested ? await tree(column, cell, (...value) => closing(actionsOf(...value))) : whole;
  const asText = button('As text', () => {
    content.replaceWith(whole);
    asText.remove();
    whole.focus();
  });
  const dialog = element(
    'dialog',
    {
      class: 'cell-dialog',
      'aria-labelledby': 'cell-title',
      onclose: () => dialog.remove(),
      onclick: (event) => {
        if (event.target === dialog) dialog.close();
      },
    },
    element(
      'div',
      { class: 'cell-box' },
      element('h2', { id: 'cell-title' }, visible(column)),
      content,
      element(
        'div',
        { class: 'actions' },
        copyButton('Copy', () => plainText(cell)),
        isNested && asText,
        button('Close', () => dialog.close(), { autofocus: true }),
      ),
    ),
  );
  const closing = (actions: ReturnType<ActionsOf>): ReturnType<ActionsOf> =>
    actions.map(({ label, act }) => ({
      label,
      act: () => {
        dialog.close();
        act();
      },
    }));
  document.body.append(dialog);
  dialog.showModal();
}

const text = (column: string, cell: Cell): HTMLElement =>
  element('pre', { tabindex: 0, 'aria-label': `Text of ${visible(column)}` }, shownLines(cell));

async function tree(column: string, cell: Cell, actionsOf: ActionsOf): Promise<HTMLElement> {
  const { recordTree } = await import('./record-tree.ts');
  return element(
    'div',
    { class: 'cell-tree', tabindex: 0, role: 'region', 'aria-label': visible(column) },
    recordTree([[column, cell]], actionsOf),
  );
}
