// A window with the whole of a cell: text as it is, records as a tree. Loaded when it is first opened.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { Button, CopyButton } from './button.tsx';
import { type Cell, isFields, isList } from './exact-json.ts';
import { RecordTree } from './record-tree.tsx';
import { plainText, shownLines } from './shown-text.ts';
import { type ActionsOf, alsoDoing } from './value-actions.ts';

interface CellDialogProps {
  readonly column: string;
  readonly cell: Cell;
  readonly actionsOf: ActionsOf;
  readonly onClose: () => void;
  /** Something was done with a value of the cell, which closes the window. */
  readonly onAct: () => void;
}

export function CellDialog({ column, cell, actionsOf, onClose, onAct }: CellDialogProps) {
  const [isTree, setTree] = useState(isFields(cell) || isList(cell));
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useRef<HTMLPreElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const name = visible(column);
  const closing = alsoDoing(actionsOf, { before: () => dialog.current?.close(), after: onAct });
  return (
    <dialog
      class="cell-dialog"
      aria-labelledby="cell-title"
      ref={dialog}
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) currentTarget.close();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="cell-box">
        <h2 id="cell-title">{name}</h2>
        {isTree ? (
          <div class="cell-tree" tabindex={0} role="region" aria-label={name}>
            <RecordTree entries={[[column, cell]]} actionsOf={closing} />
          </div>
        ) : (
          <pre tabindex={0} aria-label={`Text of ${name}`} ref={text}>
            {shownLines(cell)}
          </pre>
        )}
        <div class="actions">
          <CopyButton label="Copy" text={() => plainText(cell)} />
          {isTree && (
            <Button
              onClick={() => {
                setTree(false);
                queueMicrotask(() => text.current?.focus());
              }}
            >
              As text
            </Button>
          )}
          <Button autofocus onClick={() => dialog.current?.close()}>
            Close
          </Button>
        </div>
      </div>
    </dialog>
  );
}
