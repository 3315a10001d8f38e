// The whole of one row of a log, and the way to the next.
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { CopyButton } from './button.tsx';
import { exactJson } from './exact-json.ts';
import type { LogColumns } from './log-columns.ts';
import type { Level } from './log-level.ts';
import { RecordTree } from './record-tree.tsx';
import type { Rows } from './rows.ts';
import { plainText, shownLines } from './shown-text.ts';
import type { ActionsOf } from './value-actions.ts';

interface LogDetailProps extends Pick<Rows, 'columns' | 'rows'> {
  readonly box: RefObject<HTMLElement | null>;
  readonly at: LogColumns;
  readonly level: Level;
  /** Place of the row. */
  readonly chosen: number;
  readonly onChoose: (place: number) => void;
  /** Goes back to the list, where the page has no room for both. */
  readonly onList: () => void;
  readonly actionsOf: ActionsOf;
}

export function LogDetail({ box, columns, rows, at, level, chosen, onChoose, onList, actionsOf }: LogDetailProps) {
  const row = rows[chosen] ?? [];
  const fields = columns.map(({ name }, i) => [name, row[i] ?? null] as const);
  return (
    <section class="log-detail" ref={box} aria-label="The chosen row" tabindex={-1}>
      <div class="log-detail-head">
        <Steps box={box} chosen={chosen} count={rows.length} onChoose={onChoose} onList={onList} />
        <span class="soft">{`${(chosen + 1).toLocaleString('en')} of ${rows.length.toLocaleString('en')}`}</span>
        <span class="space" />
        <CopyButton label="Copy JSON" text={() => exactJson({ fields }, '  ')} />
      </div>
      <p class="log-when">
        {level.text !== '' && <span class={`tag sev-${level.severity}`}>{visible(level.text)}</span>}
        <span>{visible(plainText(row[at.time] ?? null))}</span>
      </p>
      <pre tabindex={0} aria-label="Message">
        {shownLines(row[at.message] ?? null)}
      </pre>
      <RecordTree key={chosen} entries={fields.filter((_, i) => i !== at.time && i !== at.message)} actionsOf={actionsOf} />
    </section>
  );
}

interface StepsProps extends Pick<LogDetailProps, 'box' | 'chosen' | 'onChoose' | 'onList'> {
  readonly count: number;
}

function Steps({ box, chosen, count, onChoose, onList }: StepsProps) {
  const [back, previous, next] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)];
  // A button that was pressed and cannot be any more would keep the focus from the keyboard.
  useLayoutEffect(() => {
    const steps = [back.current, previous.current, next.current];
    if (!steps.some((step) => step?.disabled && step === document.activeElement)) return;
    (steps.find((step) => step?.disabled === false && step.offsetParent !== null) ?? box.current)?.focus();
  }, [chosen]);
  return (
    <>
      <button type="button" class="log-back" ref={back} onClick={onList}>
        All rows
      </button>
      <button type="button" title="Key: k" ref={previous} disabled={chosen === 0} onClick={() => onChoose(chosen - 1)}>
        Previous
      </button>
      <button type="button" title="Key: j" ref={next} disabled={chosen >= count - 1} onClick={() => onChoose(chosen + 1)}>
        Next
      </button>
    </>
  );
}
