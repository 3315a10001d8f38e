// A window with the whole of a cell.

import { visible } from '../../output/visible.ts';
import { copyButton } from './clipboard.ts';
import { button, element } from './element.ts';
import type { Cell } from './exact-json.ts';
import { plainText, shownLines } from './shown-text.ts';

export function openCell(column: string, cell: Cell): void {
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
      element('pre', { tabindex: 0, 'aria-label': `Text of ${visible(column)}` }, shownLines(cell)),
      element(
        'div',
        { class: 'actions' },
        copyButton('Copy', () => plainText(cell)),
        button('Close', () => dialog.close(), { autofocus: true }),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
