// The colours of SQL: what each piece of a text is, line by line. Nothing is known of grammar, so that texts which are being written keep their colours.
import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

export type EditorDialect = 'bigquery' | 'clickhouse';

const WORDS = new Set(
  `all and any array as asc asof between by case cast create cross cube current desc distinct else end except exists extract false
  final first following for format from full function global group grouping having if ignore ilike in inner intersect interval is join last
  lateral left like limit not null nulls of offset on or order outer over partition pivot preceding prewhere qualify range respect right
  rollup row rows sample select set sets settings some struct table tablesample temp temporary then to true unbounded union unnest unpivot
  using values when where window with within without`.split(/\s+/),
);
const TYPES = new Set(
  `bignumeric bool boolean bytes date date32 datetime datetime64 decimal dynamic enum8 enum16 fixedstring float32 float64 int int8
  int16 int32 int64 int128 int256 integer json lowcardinality map nullable numeric string time timestamp tuple uint8 uint16 uint32 uint64
  uint128 uint256 uuid`.split(/\s+/),
);

interface State {
  /** What ends the text or comment that the line is in. */
  readonly open: { until: string; as: 'comment' | 'string' } | undefined;
}

/** Quotes that begin a text, the longest first. */
const QUOTES: Readonly<Record<EditorDialect, readonly string[]>> = {
  bigquery: ["'''", '"""', "'", '"'],
  clickhouse: ["'"],
};
const COMMENT: Readonly<Record<EditorDialect, RegExp>> = { bigquery: /^(?:--|#).*/, clickhouse: /^--.*/ };
const PARAMETER: Readonly<Record<EditorDialect, RegExp>> = { bigquery: /^@@?\w+/, clickhouse: /^\{\w+:[^}]*\}/ };
const NAME: Readonly<Record<EditorDialect, RegExp>> = { bigquery: /^`[^`]*`?/, clickhouse: /^(?:`[^`]*`?|"[^"]*"?)/ };

/** To the end of what is open, or of the line. */
function within(stream: StringStream, state: { open: State['open'] }): string | null {
  const { open } = state;
  if (open === undefined) return null;
  while (!stream.eol()) {
    if (stream.match(open.until)) {
      state.open = undefined;
      return open.as;
    }
    if (stream.next() === '\\' && open.as === 'string') stream.next();
  }
  // Only comments and long texts go on in the next line.
  if (open.until.length === 1) state.open = undefined;
  return open.as;
}

function piece(dialect: EditorDialect, stream: StringStream, state: { open: State['open'] }): string | null {
  if (state.open !== undefined) return within(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match(COMMENT[dialect])) return 'comment';
  if (stream.match('/*')) {
    state.open = { until: '*/', as: 'comment' };
    return within(stream, state);
  }
  const quote = QUOTES[dialect].find((one) => stream.match(one));
  if (quote !== undefined) {
    state.open = { until: quote, as: 'string' };
    return within(stream, state);
  }
  if (stream.match(PARAMETER[dialect])) return 'variableName.special';
  if (stream.match(NAME[dialect])) return null;
  if (stream.match(/^(?:0[xX][\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)(?!\w)/)) return 'number';
  // A field, whatever it is called.
  if (stream.match(/^\.[A-Za-z_]\w*/)) return null;
  const word = stream.match(/^[A-Za-z_]\w*/);
  if (word === null || word === true) {
    stream.next();
    return null;
  }
  const lower = (word as RegExpMatchArray)[0].toLowerCase();
  if (lower === 'true' || lower === 'false' || lower === 'null') return 'number';
  if (TYPES.has(lower)) return 'typeName';
  return WORDS.has(lower) ? 'keyword' : null;
}

const language = (dialect: EditorDialect) =>
  StreamLanguage.define<{ open: State['open'] }>({
    startState: () => ({ open: undefined }),
    copyState: ({ open }) => ({ open }),
    token: (stream, state) => piece(dialect, stream, state),
    languageData: {
      commentTokens: { line: '--', block: { open: '/*', close: '*/' } },
      closeBrackets: { brackets: ['(', '[', "'", '"', '`'] },
    },
  });

/** Colours are those of the page, which pass into shadow trees. */
const STYLE = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: tags.typeName, color: 'var(--code-type)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: tags.special(tags.variableName), color: 'var(--code-variable)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
]);

export const colours = (dialect: EditorDialect) => [language(dialect), syntaxHighlighting(STYLE)];
