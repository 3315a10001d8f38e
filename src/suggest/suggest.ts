// Lists what can be written at a place of a query: tables, columns, fields of records, functions, parameters, words. For editors, the console and the playground.
import { dialectFunctions } from '../sql/index.ts';
import { type Columns, ctesAt, fieldsOf, probesAt, readAround, tree } from './scope.ts';

const KEYWORDS =
  'select from where group by order by having qualify limit offset with as join left right full inner cross on using union all distinct except intersect case when then else end and or not in between like is null true false over partition by window interval asc desc current_timestamp()'.split(
    ' ',
  );
/** Words before a bracket in which arguments are not just listed. */
const FORMS: readonly string[] = ['cast', 'exists', 'extract', 'safe_cast', 'unnest'];

export interface Suggestion {
  readonly label: string;
  readonly kind: 'field' | 'function' | 'keyword' | 'parameter' | 'with-table' | 'source' | 'saved-query';
  /** A type, the first signature, or what it is. */
  readonly detail?: string;
  readonly documentation?: string;
  /** Replaces the word, where that is not the label: `sum(`, where no bracket follows already. */
  readonly insert?: string;
  /** Is compared with the word, where that is not the label. */
  readonly filter?: string;
}

/** A place in a text that is being written, and what must be found out to say what may stand there. */
interface Place {
  readonly text: string;
  readonly offset: number;
  /** The part of a name that has been written. */
  readonly word: string;
  readonly wants: 'nothing' | 'parameters' | 'tables' | 'values';
  /** The text before the word, with a dot at its end: `m.`, or nothing. */
  readonly prefix: string;
  /** Queries, of which the columns are wanted. */
  readonly probes: readonly string[];
}

/** The answers to the probes. */
interface Known {
  /** The columns of each probe; undefined where it cannot be translated. */
  readonly columns: readonly (Columns | undefined)[];
  /** Tables beside those that the text itself names. */
  readonly tables: readonly { readonly name: string; readonly kind: 'source' | 'saved-query' | 'with-table' }[];
  readonly parameters: readonly { readonly name: string; readonly type: string; readonly description?: string | undefined }[];
}

/** Names of the WITH tables of a text: what SQL in place of its SELECT can read. */
export const namedTables = (text: string): readonly string[] => tree(text)?.query.ctes.map(({ name }) => name.name) ?? [];

/** Columns with their types as texts. */
export const typeTexts = (columns: Columns['columns']): readonly { readonly name: string; readonly type: string }[] =>
  fieldsOf([{ columns, sql: '' }]);

/** Nothing is thrown for a text that cannot be read. */
export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const word = wordBefore(before);
  const place = { text, offset, word, prefix: '', probes: [] };
  if (isInText(before)) return { ...place, wants: 'nothing' };
  if (word.startsWith('@')) return { ...place, wants: 'parameters' };
  if (/\b(?:from|join)\s+$/i.test(before.slice(0, before.length - word.length))) return { ...place, wants: 'tables' };
  const prefix = /(?:\w+\.)+(?=\w*$)/.exec(before)?.[0] ?? '';
  const reading = readAround(text, offset);
  return { ...place, wants: 'values', prefix, probes: reading === undefined ? [] : probesAt(prefix.slice(0, -1), reading, offset) };
}

/** Returns what may stand at a place, the likeliest kinds first. */
export function suggestionsAt(place: Place, known: Known): readonly Suggestion[] {
  const { text, offset, prefix } = place;
  switch (place.wants) {
    case 'nothing':
      return [];
    case 'parameters':
      return known.parameters.map(parameter);
    case 'tables':
      return tables(place, known.tables);
    case 'values': {
      const fields = fieldsOf(known.columns).filter(({ name }) => name !== '');
      const called = /^\w*\s*\(/.test(text.slice(offset));
      return [
        ...fields.map(({ name, type }): Suggestion => ({ label: name, kind: 'field', detail: type })),
        ...functions(text, called, prefix),
        ...(prefix === '' ? keywords(text, called) : []),
      ];
    }
  }
}

const wordBefore = (before: string): string => /(?:@?\w*|`[^`\n]*|(?:\w+[.-])+\w*)$/.exec(before)?.[0] ?? '';

/** True if a text, or a comment, begins before the end and does not end there. */
function isInText(before: string): boolean {
  const left = before.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`\n]*`|--[^\n]*\n|#[^\n]*\n|\/\*[\s\S]*?\*\//g, '');
  return /--|#|\/\*|['"]/.test(left);
}

const isUpper = (text: string): boolean => /\bSELECT\b/.test(text);

function functions(text: string, called: boolean, begin: string): readonly Suggestion[] {
  const upper = isUpper(text);
  return dialectFunctions()
    .filter(({ name }) => name.startsWith(begin.toUpperCase()) && !FORMS.includes(name.toLowerCase()))
    .map(({ name, signatures, differs }) => {
      const label = (upper ? name : name.toLowerCase()).slice(begin.length);
      return {
        label,
        kind: 'function',
        ...(called ? {} : { insert: `${label}${opening(signatures)}` }),
        detail: signatures[0] ?? '',
        documentation: [...signatures.slice(1), differs ?? []].flat().join('\n'),
      };
    });
}

/** Returns what follows the name of a function: nothing goes into the brackets of `rand()`. */
export const opening = (signatures: readonly string[]): string => (signatures.every((one) => one.startsWith('->')) ? '()' : '(');

const keywords = (text: string, called: boolean): readonly Suggestion[] => {
  const cased = (word: string): string => (isUpper(text) ? word.toUpperCase() : word);
  return [
    ...[...new Set(KEYWORDS)].map((word): Suggestion => ({ label: cased(word), kind: 'keyword' })),
    ...FORMS.map((word): Suggestion => ({ label: cased(word), kind: 'keyword', ...(called ? {} : { insert: `${cased(word)}(` }) })),
  ];
};

const parameter = ({ name, type, description }: Known['parameters'][number]): Suggestion => ({
  label: `@${name}`,
  filter: `@${name}`,
  insert: name,
  kind: 'parameter',
  detail: type,
  documentation: description,
});

const TABLES = { 'with-table': 'WITH table', source: 'source', 'saved-query': 'saved query' } as const;

function tables({ text, offset, word }: Place, others: Known['tables']): readonly Suggestion[] {
  const reading = readAround(text, offset);
  const ctes =
    reading === undefined ? [] : ctesAt(reading.script, offset).map(({ name }) => ({ name: name.name, kind: 'with-table' as const }));
  const quoted = word.startsWith('`');
  return [...ctes, ...others].map(({ name, kind }): Suggestion => {
    const written = quoted || /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``;
    // The part of a dotted name before its last dot does not belong to the word that an editor replaces.
    const done = quoted ? '' : (/^.*[.-]/.exec(word)?.[0] ?? '');
    const rest = done !== '' && name.startsWith(done) ? name.slice(done.length) : written;
    return { label: name, insert: rest, filter: rest === written ? name : rest, kind, detail: TABLES[kind] };
  });
}
