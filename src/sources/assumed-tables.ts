// Tables that nobody has declared, sketched from a query that reads them: which columns it names, and of which types they must be for it to make sense.
// The translator says what it misses; each answer of it adds a table, a column, a field, or another type.
import { QuernError } from '../base/errors.ts';
import type { Span } from '../base/source-text.ts';
import { arrayOf, SCALAR_TYPES, STRING, structOf, type Type } from '../sql/base/types.ts';
import { parse, translate } from '../sql/index.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';
import type { TranslateOptions } from '../sql/translation.ts';
import { tablePath } from './bigquery-name.ts';
import { declaredSource } from './declared-table.ts';
import { type FromItem, type FromScope, fromScopes } from './from-scopes.ts';
import { columnsText } from './loaded/stored-table.ts';
import type { DeclaredColumn } from './table-schema.ts';

export interface AssumedTable {
  readonly name: string;
  readonly columns: readonly DeclaredColumn[];
  /** The columns in words: `id INT64, created TIMESTAMP`. */
  readonly text: string;
  /** Where the query names it first. */
  readonly span: Span;
}

export interface AssumedTables {
  /** The sources of the options, and the tables. */
  readonly sources: SourceCatalog;
  readonly tables: readonly AssumedTable[];
}

/** Each step is a translation. */
const MOST_TRANSLATIONS = 600;
/** Types that are tried where a column's does not fit, the likeliest first. */
const TRIED: readonly Type[] = [
  'INT64',
  'FLOAT64',
  'STRING',
  'TIMESTAMP',
  'DATE',
  'BOOL',
  'DATETIME',
  'NUMERIC',
  'JSON',
  'BYTES',
  'TIME',
].map((name) => SCALAR_TYPES[name as keyof typeof SCALAR_TYPES]);

interface Sketch {
  readonly name: string;
  leaf: Type;
  isArray: boolean;
  readonly fields: Map<string, Sketch>;
}

interface SketchedTable {
  readonly name: string;
  readonly span: Span;
  readonly columns: Map<string, Sketch>;
}

/** Returns the tables of the text that the options do not know. What else is wrong with the text is for its translation to say. Throws what parsing throws. */
export function assumeTables(text: string, options: TranslateOptions): AssumedTables {
  return new Sketcher(text, options).sketch();
}

class Sketcher {
  readonly #text: string;
  readonly #options: TranslateOptions;
  readonly #scopes: readonly FromScope[];
  readonly #tables = new Map<string, SketchedTable>();
  /** The places at which types have been made to fit. */
  readonly #settled = new Set<string>();
  #left = MOST_TRANSLATIONS;

  constructor(text: string, options: TranslateOptions) {
    this.#text = text;
    this.#options = options;
    this.#scopes = fromScopes(parse(text));
  }

  sketch(): AssumedTables {
    for (let error = this.#attempt(); error !== undefined; error = this.#attempt()) if (!this.#learn(error)) break;
    const tables = [...this.#tables.values()].map(({ name, span, columns }) => {
      const found = columnsOf(columns);
      return { name, span, columns: found, text: columnsText(found) };
    });
    return { sources: this.#sources(), tables };
  }

  #sources(): SourceCatalog {
    const { sources } = this.#options;
    const assumed = new Map<string, Source>();
    for (const [key, { name, columns }] of this.#tables) assumed.set(key, assumedSource(name, columnsOf(columns)));
    return {
      names: [...(sources?.names ?? []), ...[...this.#tables.values()].map(({ name }) => name)],
      find: (name) => assumed.get(name.toLowerCase()) ?? sources?.find(name),
    };
  }

  /** Returns what the translator misses. */
  #attempt(): QuernError | undefined {
    this.#left--;
    if (this.#left < 0) return undefined;
    try {
      translate(this.#text, { ...this.#options, sources: this.#sources() });
      return undefined;
    } catch (error) {
      if (error instanceof QuernError) return error;
      throw error;
    }
  }

  /** Returns whether the error has led to anything new. */
  #learn({ code, details: { span, source } }: QuernError): boolean {
    if (span === undefined || source !== undefined) return false;
    if (code === 'unknown-source') return this.#addTable(span);
    if (code === 'unknown-column') return this.#addColumn(span);
    return code === 'type' && (this.#addColumn(span) || this.#makeArray(span) || this.#changeTypes(span));
  }

  #addTable(span: Span): boolean {
    const item = this.#items().find((one) => one.span.start === span.start && one.parts !== undefined);
    const name = item?.parts?.join('.');
    if (name === undefined || this.#tables.has(name.toLowerCase())) return false;
    this.#tables.set(name.toLowerCase(), { name, span, columns: new Map() });
    return true;
  }

  /** Adds the column, or the fields, that a path at the place names. */
  #addColumn(span: Span): boolean {
    const scopes = this.#scopesAt(span);
    const path = scopes[0]?.paths.filter((one) => one.span.start <= span.start && span.end <= one.span.end).sort(bySize)[0];
    if (path !== undefined) return this.#addPath(path.parts, scopes);
    const name = this.#text.slice(span.start, span.end).replaceAll('`', '');
    if (!scopes.some(({ using }) => using.some((one) => one.start === span.start))) return false;
    // Both sides of USING have it.
    return this.#tablesIn(scopes[0]).reduce((added, { columns }) => add(columns, [name]) || added, false);
  }

  #addPath(parts: readonly string[], scopes: readonly FromScope[]): boolean {
    const [first = '', ...rest] = parts;
    for (const scope of scopes) {
      const item = scope.items.find(({ alias }) => alias?.toLowerCase() === first.toLowerCase());
      if (item !== undefined && rest.length > 0) return this.#addTo(item, rest, scope);
    }
    for (const scope of scopes) {
      const tables = this.#tablesIn(scope);
      const table = tables.find(({ columns }) => columns.has(first.toLowerCase())) ?? tables[0];
      if (table !== undefined) return add(table.columns, parts);
      // Fields of the elements of an array are columns of their own.
      const array = this.#arraysIn(scope, parts)[0];
      if (array !== undefined) return add(array.fields, parts);
    }
    return false;
  }

  /** Adds fields to the rows that an alias stands for: those of a table, or the elements of an array of one. */
  #addTo(item: FromItem, path: readonly string[], scope: FromScope): boolean {
    const table = this.#tableOf(item);
    if (table !== undefined) return add(table.columns, path);
    const array = this.#elementsOf(item, scope);
    return array !== undefined && add(array.fields, path);
  }

  /** Returns the array of an assumed table whose elements the item stands for. */
  #elementsOf({ array }: FromItem, scope: FromScope): Sketch | undefined {
    return array === undefined ? undefined : this.#find(array, this.#scopesAt(scope.span));
  }

  /** Returns the arrays of assumed tables in a FROM; the path of an array is not among its own fields. */
  #arraysIn(scope: FromScope, path: readonly string[]): readonly Sketch[] {
    const others = scope.items.filter(({ array }) => array?.join('.') !== path.join('.'));
    return others.flatMap((item) => this.#elementsOf(item, scope) ?? []);
  }

  #makeArray(span: Span): boolean {
    const scopes = this.#scopesAt(span);
    const item = this.#items().find(({ arraySpan }) => arraySpan?.start === span.start && arraySpan.end >= span.end);
    const sketch = item?.array === undefined ? undefined : this.#find(item.array, scopes);
    if (sketch === undefined || sketch.isArray) return false;
    sketch.isArray = true;
    return true;
  }

  /** Tries other types of the columns in a part of the text, one column after the other and then all. */
  #changeTypes(span: Span): boolean {
    const inside = this.#scopes.flatMap((scope) => scope.paths.filter((one) => span.start <= one.span.start && one.span.end <= span.end));
    const found = inside.flatMap((one) => this.#find(one.parts, this.#scopesAt(one.span)) ?? []);
    const sketches = [...new Set(found)].filter(({ fields }) => fields.size === 0);
    const groups = sketches.length > 1 ? [...sketches.map((one) => [one]), sketches] : [sketches];
    for (const group of groups.filter(({ length }) => length > 0)) {
      const before = group.map(({ leaf, isArray }) => ({ leaf, isArray }));
      for (const isArray of [false, true])
        for (const leaf of isArray ? [STRING, ...TRIED] : TRIED) {
          for (const sketch of group) Object.assign(sketch, { leaf, isArray });
          if (this.#isSettled(span)) return true;
        }
      for (const [i, sketch] of group.entries()) Object.assign(sketch, before[i]);
    }
    return false;
  }

  /** Returns whether the types at a place fit now, and still do elsewhere. */
  #isSettled(span: Span): boolean {
    const error = this.#attempt();
    const at = error?.details.span;
    const isType = error?.code === 'type' && at !== undefined;
    if (isType && ((span.start <= at.start && at.end <= span.end) || this.#settled.has(placeOf(at)))) return false;
    this.#settled.add(placeOf(span));
    return true;
  }

  /** Returns the column or field of an assumed table that a path leads to. */
  #find(parts: readonly string[], scopes: readonly FromScope[]): Sketch | undefined {
    const [first = '', ...rest] = parts;
    for (const scope of scopes) {
      const item = scope.items.find(({ alias }) => alias?.toLowerCase() === first.toLowerCase());
      if (item === undefined) continue;
      const table = this.#tableOf(item);
      if (table !== undefined && rest.length > 0) return lookUp(table.columns, rest);
      const array = this.#elementsOf(item, scope);
      if (array !== undefined) return rest.length === 0 ? array : lookUp(array.fields, rest);
    }
    for (const scope of scopes) {
      const tables = this.#tablesIn(scope).map(({ columns }) => lookUp(columns, parts));
      const fields = this.#arraysIn(scope, parts).map((array) => lookUp(array.fields, parts));
      const found = [...tables, ...fields].find((one) => one !== undefined);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #items(): readonly FromItem[] {
    return this.#scopes.flatMap(({ items }) => items);
  }

  /** Returns the scopes around a place, innermost first. */
  #scopesAt({ start, end }: Span): readonly FromScope[] {
    return this.#scopes.filter(({ span }) => span.start <= start && end <= span.end).sort(bySize);
  }

  #tablesIn(scope: FromScope | undefined): readonly SketchedTable[] {
    return (scope?.items ?? []).flatMap((item) => this.#tableOf(item) ?? []);
  }

  #tableOf({ parts }: FromItem): SketchedTable | undefined {
    return parts === undefined ? undefined : this.#tables.get(parts.join('.').toLowerCase());
  }
}

const bySize = (a: { readonly span: Span }, b: { readonly span: Span }): number => a.span.end - a.span.start - (b.span.end - b.span.start);

const placeOf = ({ start, end }: Span): string => `${start} ${end}`;

/** Adds what the path lacks; returns whether there was anything. */
function add(fields: Map<string, Sketch>, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return false;
  const known = fields.get(first.toLowerCase());
  const sketch = known ?? { name: first, leaf: likelyType(first), isArray: false, fields: new Map() };
  fields.set(first.toLowerCase(), sketch);
  return add(sketch.fields, rest) || known === undefined;
}

function lookUp(fields: ReadonlyMap<string, Sketch>, [first = '', ...rest]: readonly string[]): Sketch | undefined {
  const found = fields.get(first.toLowerCase());
  return found === undefined || rest.length === 0 ? found : lookUp(found.fields, rest);
}

/** Names say of times what they are, where the query would take a text as well. */
function likelyType(name: string): Type {
  if (/(?:^|_)(?:timestamp|time)$|_(?:at|ts)$|^ts$/i.test(name)) return SCALAR_TYPES.TIMESTAMP;
  return /(?:^|_)(?:date|day)$/i.test(name) ? SCALAR_TYPES.DATE : STRING;
}

const columnsOf = (sketches: ReadonlyMap<string, Sketch>): readonly DeclaredColumn[] =>
  [...sketches.values()].map((sketch) => ({ name: sketch.name, type: typeOf(sketch) }));

function typeOf({ leaf, isArray, fields }: Sketch): Type {
  const type = fields.size === 0 ? leaf : structOf(columnsOf(fields));
  return isArray ? arrayOf(type) : type;
}

/** The table of a server that the name means. */
function assumedSource(name: string, columns: readonly DeclaredColumn[]): Source {
  const { dataset, table = name } = tablePath(name) ?? {};
  return declaredSource({ name, database: dataset, table }, columns);
}
