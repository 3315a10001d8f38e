// SQL with colours, to read or to write. Loaded when SQL is first looked at.
import { SQLDialect, type SQLDialectSpec } from '@codemirror/lang-sql';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import { EditorView, minimalSetup } from 'codemirror';
import { element } from './element.ts';

export type EditorDialect = 'bigquery' | 'clickhouse';

const WORDS = `all and any array as asc asof between by case cast create cross cube current desc distinct else end except exists extract false
  final first following for format from full function global group grouping having if ignore ilike in inner intersect interval is join last
  lateral left like limit not null nulls of offset on or order outer over partition pivot preceding prewhere qualify range respect right
  rollup row rows sample select set sets settings some struct tablesample temp temporary then to true unbounded union unnest using values
  when where window with within without`;
const TYPES = `bignumeric bool boolean bytes date date32 datetime datetime64 decimal dynamic enum8 enum16 fixedstring float32 float64 int int8
  int16 int32 int64 int128 int256 integer json lowcardinality map nullable numeric string time timestamp tuple uint8 uint16 uint32 uint64
  uint128 uint256 uuid`;

const SPECS: Readonly<Record<EditorDialect, SQLDialectSpec>> = {
  bigquery: {
    keywords: WORDS,
    types: TYPES,
    doubleQuotedStrings: true,
    hashComments: true,
    identifierQuotes: '`',
    backslashEscapes: true,
    specialVar: '@',
  },
  clickhouse: { keywords: WORDS, types: TYPES, identifierQuotes: '`"', backslashEscapes: true, slashComments: false },
};

export interface Editor {
  readonly element: HTMLElement;
  text(): string;
  set(text: string): void;
  focus(): void;
}

interface EditorOptions {
  readonly dialect: EditorDialect;
  readonly label: string;
  readonly text: string;
  /** Called on Ctrl-Enter; without it the text is for reading. */
  readonly onRun?: () => void;
}

/**
 * In a shadow tree, where the editor's styles are sheets that the page adopts: style elements are what the page's policy refuses.
 */
export function createEditor({ dialect, label, text, onRun }: EditorOptions): Editor {
  const host = element('div', { class: 'editor' });
  const root = host.attachShadow({ mode: 'open' });
  const readOnly = onRun === undefined;
  const view = new EditorView({
    doc: text,
    root,
    extensions: [
      // Before the editor's own keys, where Ctrl-Enter makes a line.
      EditorView.domEventHandlers({
        keydown(event) {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || onRun === undefined) return false;
          onRun();
          return true;
        },
      }),
      minimalSetup,
      SQLDialect.define(SPECS[dialect]).language,
      syntaxHighlighting(WORDS_IN_COLOUR),
      COLOURS,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, ...(readOnly ? { tabindex: '0', 'aria-readonly': 'true' } : {}) }),
      EditorView.editable.of(!readOnly),
    ],
    parent: root,
  });
  return {
    element: host,
    text: () => view.state.doc.toString(),
    set: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    focus: () => view.focus(),
  };
}

/** Colours are those of the page, which pass into shadow trees. */
const COLOURS = EditorView.theme({
  '&': { backgroundColor: 'var(--sunken)', color: 'var(--ink)', fontSize: '13px', maxHeight: '60vh' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '10px 4px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selected)',
  },
});

const WORDS_IN_COLOUR = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--code-type)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: tags.special(tags.name), color: 'var(--code-variable)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
]);
