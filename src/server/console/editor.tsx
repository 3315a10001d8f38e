// SQL with colours, to read or to write. Loaded when SQL is first looked at.
import { autocompletion, type Completion, closeCompletion, completionKeymap, selectedCompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Suggestion } from '../../suggest/suggest.ts';
import { colours, type EditorDialect } from './sql-colours.ts';

/** A place that is underlined; the text is shown where the pointer rests. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly kind: 'error' | 'warning' | 'note';
  readonly text: string;
}

/** Puts the cursor into the text; without an offset where it was. */
export interface Cursor {
  readonly offset?: number;
}

/** What may be written at an offset of a text. */
export type Complete = (text: string, offset: number) => Promise<readonly Suggestion[]>;

interface EditorProps {
  readonly dialect: EditorDialect;
  readonly label: string;
  readonly text: string;
  /** Called on Ctrl-Enter. */
  readonly onRun?: () => void;
  /** Without it the text is for reading. */
  readonly onChange?: (text: string) => void;
  readonly complete?: Complete;
  readonly numbers?: boolean;
  readonly marks?: readonly Mark[];
  /** Another object puts the cursor there. */
  readonly cursor?: Cursor | undefined;
}

const setMarks = StateEffect.define<DecorationSet>();

const marked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => transaction.effects.find((effect) => effect.is(setMarks))?.value ?? marks.map(transaction.changes),
  provide: (field) => EditorView.decorations.from(field),
});

/** Leaves the cursor and the history alone where the text is what was written here. */
export function Editor(props: EditorProps) {
  const { text, marks = NO_MARKS, cursor } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  useLayoutEffect(() => {
    if (host.current === null) return undefined;
    const view = createView(host.current, latest);
    editor.current = view;
    return () => view.destroy();
  }, []);
  useLayoutEffect(() => {
    const view = editor.current;
    if (view && text !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }, [text]);
  useLayoutEffect(() => {
    const view = editor.current;
    view?.dispatch({ effects: setMarks.of(decorations(marks, view.state.doc.length)) });
  }, [marks]);
  useLayoutEffect(() => {
    const view = editor.current;
    if (cursor === undefined || view === undefined) return;
    if (cursor.offset !== undefined) {
      const anchor = Math.min(cursor.offset, view.state.doc.length);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    }
    view.focus();
  }, [cursor]);
  return <div class="editor" ref={host} />;
}

const NO_MARKS: readonly Mark[] = [];

function decorations(marks: readonly Mark[], length: number): DecorationSet {
  const shown = marks.map(({ start, end, kind, text: title }) => {
    // A place behind the end is shown at the last character.
    const from = Math.max(0, Math.min(start, length - 1));
    return Decoration.mark({ class: `mark-${kind}`, attributes: { title } }).range(from, Math.min(Math.max(end, from + 1), length));
  });
  return Decoration.set(
    shown.filter(({ from, to }) => from < to),
    true,
  );
}

/** In a shadow tree, where the editor's styles are sheets that the page adopts: style elements are what the page's policy refuses. */
function createView(host: HTMLElement, props: { readonly current: EditorProps }): EditorView {
  const { dialect, label, text, numbers = false, onChange } = props.current;
  const root = host.attachShadow({ mode: 'open' });
  const readOnly = onChange === undefined;
  const writing: readonly Extension[] = [
    marked,
    ...completing(async (written, offset) => (await props.current.complete?.(written, offset)) ?? []),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) props.current.onChange?.(state.doc.toString());
    }),
  ];
  const view = new EditorView({
    doc: text,
    root,
    extensions: [
      // Before the editor's own keys, where Ctrl-Enter makes a line.
      EditorView.domEventHandlers({
        keydown(event) {
          const { onRun } = props.current;
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || onRun === undefined) return false;
          onRun();
          return true;
        },
        // Left to the browser, what is typed over a selection keeps its colours by style attributes, which the page's policy refuses.
        beforeinput(event, { state }) {
          if (event.inputType !== 'insertText' || event.data === null || state.selection.main.empty || state.readOnly) return false;
          event.preventDefault();
          view.dispatch(state.replaceSelection(event.data), { userEvent: 'input.type' });
          return true;
        },
      }),
      ...(readOnly ? [] : writing),
      ...(numbers ? [lineNumbers()] : []),
      highlightSpecialChars(),
      history(),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      colours(dialect),
      COLOURS,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, ...(readOnly ? { tabindex: '0', 'aria-readonly': 'true' } : {}) }),
      EditorView.editable.of(!readOnly),
    ],
    parent: root,
  });
  return view;
}

const TYPES: Readonly<Record<Suggestion['kind'], string>> = {
  field: 'property',
  function: 'function',
  keyword: 'keyword',
  parameter: 'variable',
  'with-table': 'class',
  source: 'class',
  'saved-query': 'class',
};
const BOOST: Partial<Record<Suggestion['kind'], number>> = { field: 2, function: 1 };

/** Words that could follow, as one types or on Ctrl-Space. Tab goes on to the next thing of the page, as everywhere. */
const completing = (complete: Complete): readonly Extension[] => [
  autocompletion({
    icons: false,
    defaultKeymap: false,
    override: [
      async ({ state, pos, explicit }) => {
        const text = state.doc.toString();
        const word = /[@\w]*$/.exec(text.slice(0, pos))?.[0] ?? '';
        const before = text.slice(0, pos - word.length);
        if (!explicit && word === '' && !/(?:\.|\b(?:from|join)\s)$/i.test(before)) return null;
        const suggestions = await complete(text, pos);
        if (suggestions.length === 0) return null;
        const at = word.startsWith('@') ? 1 : 0;
        const [first = ''] = word.slice(at);
        // Who suggests may leave out what begins otherwise.
        const validFor = (now: string) => /^\w*$/.test(now) && now.startsWith(first);
        return { from: pos - word.length + at, options: suggestions.map(shown), validFor };
      },
    ],
  }),
  Prec.highest(keymap.of([{ key: 'Enter', run: closeWhereWritten }, ...completionKeymap])),
];

/** A word that is written in full already is done: Enter begins a line then, as where nothing is suggested. */
function closeWhereWritten(view: EditorView): boolean {
  const label = selectedCompletion(view.state)?.label;
  const { head } = view.state.selection.main;
  if (label !== undefined && view.state.sliceDoc(Math.max(0, head - label.length), head).toLowerCase() === label.toLowerCase())
    closeCompletion(view);
  return false;
}

function shown({ label, kind, detail, documentation, insert }: Suggestion): Completion {
  return {
    label: kind === 'parameter' ? label.slice(1) : label,
    type: TYPES[kind],
    ...(insert === undefined ? {} : { apply: insert }),
    ...(detail === undefined ? {} : { detail }),
    ...(documentation === undefined || documentation === '' ? {} : { info: documentation }),
    boost: BOOST[kind] ?? 0,
  };
}

/** Colours are those of the page, which pass into shadow trees. */
const COLOURS = EditorView.theme({
  '&': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--ink)',
    fontSize: '13px',
    maxHeight: 'var(--editor-height, 60vh)',
    minHeight: 'var(--editor-least, auto)',
    height: 'var(--editor-fill, auto)',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '10px 4px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--soft)', border: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-content ::selection, .cm-content::selection': { backgroundColor: 'var(--selected)' },
  '.mark-error': { textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '3px' },
  '.mark-warning': { textDecoration: 'underline wavy var(--warn)', textUnderlineOffset: '3px' },
  '.mark-note': { textDecoration: 'underline dotted var(--soft)', textUnderlineOffset: '3px' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', border: '1px solid var(--edge)', borderRadius: '5px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '14em', maxWidth: 'min(560px, 90vw)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '1.5' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--selected)', color: 'var(--ink)' },
  '.cm-completionDetail': { color: 'var(--soft)', fontStyle: 'normal', marginLeft: '12px' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip.cm-completionInfo': { padding: '6px 10px', maxWidth: '420px', whiteSpace: 'pre-wrap', fontFamily: 'var(--mono)' },
});
