// Where a caller writes SQL of their own, for the queries that take it.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import type { Complete, Cursor } from './editor.tsx';
import { lazy } from './lazy.tsx';

const Editor = lazy(async () => (await import('./editor.tsx')).Editor);

interface SandboxEditorProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
  readonly complete: Complete;
}

export function SandboxEditor({ text, onText, onRun, complete }: SandboxEditorProps) {
  const [isOpen, setOpen] = useState(text !== '');
  const [cursor, setCursor] = useState<Cursor>();
  const isUsed = useRef(false);
  isUsed.current ||= isOpen;
  useLayoutEffect(() => {
    if (text !== '') setOpen(true);
  }, [text]);
  return (
    <details class="sandbox" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary onClick={() => isUsed.current || setCursor({})}>Your own SQL</summary>
      <p class="hint">
        BigQuery SQL that replaces the query’s own SELECT. It can read the WITH tables of the saved query, shown under SQL. Ctrl-Enter runs
        it, Ctrl-Space completes a word.
      </p>
      <div>
        {isUsed.current && (
          <Editor dialect="bigquery" label="Your own SQL" text={text} cursor={cursor} onChange={onText} onRun={onRun} complete={complete} />
        )}
      </div>
      <Button
        onClick={() => {
          onText('');
          setCursor({});
        }}
      >
        Clear
      </Button>
    </details>
  );
}
