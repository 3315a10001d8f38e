// Where a caller writes SQL of their own, for the queries that take it.

import type { Complete, Editor } from './editor.ts';
import { button, element } from './element.ts';

interface SandboxEditor {
  readonly element: HTMLElement;
  /** Undefined where there is none. */
  text(): string | undefined;
  set(text: string): void;
}

export function sandboxEditor(onRun: () => void, complete: Complete): SandboxEditor {
  let editor: Editor | undefined;
  let wanted = '';
  const holder = element('div', {});
  const box = element(
    'details',
    { class: 'sandbox', ontoggle: () => void (box.open ? load(true) : undefined) },
    element('summary', {}, 'Your own SQL'),
    element(
      'p',
      { class: 'hint' },
      'BigQuery SQL that replaces the query’s own SELECT. It can read the WITH tables of the saved query, shown under SQL. Ctrl-Enter runs it, Ctrl-Space completes a word.',
    ),
    holder,
    button('Clear', () => {
      set('');
      editor?.focus();
    }),
  );
  const load = async (focus: boolean) => {
    if (editor !== undefined) return;
    const { createEditor } = await import('./editor.ts');
    editor ??= createEditor({ dialect: 'bigquery', label: 'Your own SQL', text: wanted, onRun, complete });
    holder.replaceChildren(editor.element);
    if (focus && document.activeElement?.tagName === 'SUMMARY') editor.focus();
  };
  const set = (text: string) => {
    wanted = text;
    if (editor !== undefined && editor.text() !== text) editor.set(text);
    if (text !== '') box.open = true;
  };
  return {
    element: box,
    text() {
      const text = (editor?.text() ?? wanted).trim();
      return text === '' ? undefined : text;
    },
    set,
  };
}
