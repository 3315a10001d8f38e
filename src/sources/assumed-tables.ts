// Tables and parameters that nobody has declared, sketched from a query that reads them: which columns it names, and of which types these must be for it to
// make sense. The translator says what it misses; each answer of it adds a table, a column, a field, or another type.
import { QuernError } from '../base/errors.ts';
import type { Span } from '../base/source-text.ts';
import { SCALAR_TYPES, STRING, type Type } from '../sql/base/types.ts';
import { parse, translateSpecializable } from '../sql/index.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';
import type { Doubt, TranslateOptions } from '../sql/translation.ts';
import { tablePath } from './bigquery-name.ts';
import { declaredSource } from './declared-table.ts';
import { type FromItem, type FromScope, fromScopes } from './from-scopes.ts';
import { columnsText } from './loaded/stored-table.ts';
import { add, columnsOf, lookUp, type Sketch, typeOf } from './sketch.ts';
import { sourceOrError } from './source-problem.ts';
import type { DeclaredColumn } from './table-schema.ts';

export interface AssumedTable {
  readonly name: string;
  readonly columns: readonly DeclaredColumn[];
  /** The columns in words: `id INT64, created TIMESTAMP`. */
  readonly text: string;
  /** Where the query names it first. */
  readonly span: Span;
}

interface AssumedParameter {
  readonly type: Type;
  /** The text would be as good with another type. */
  readonly isGuess: boolean;
}

export interface AssumedTables {
  /** The sources of the options, and the tables. */
  readonly sources: SourceCatalog;
  readonly tables: readonly AssumedTable[];
  /** Those of `undeclared`, by their names. */
  readonly parameters: ReadonlyMap<string, AssumedParameter>;
}

/** Each step is a translation. */
const MOST_TRANSLATIONS = 600;
/** Types that are tried where a column's does not fit, the likeliest first. */
const LIKELY = ['INT64', 'FLOAT64', 'STRING', 'TIMESTAMP', 'DATE', 'BOOL', 'DATETIME', 'NUMERIC', 'JSON', 'BYTES', 'TIME'] as const;
const TRIED: readonly Type[] = LIKELY.map((name) => SCALAR_TYPES[name]);

/** A parameter of the first type is only guessed where the second does as well. */
const OTHERS: Readonly<Partial<Record<Type['kind'], Type>>> = { STRING: SCALAR_TYPES.INT64, INT64: SCALAR_TYPES.FLOAT64 };

interface SketchedTable {
  readonly name: string;
  readonly span: Span;
  readonly columns: Map<string, Sketch>;
}

/**
 * Returns the tables of the text that the options do not know, and types for the parameters of `undeclared`. What else is wrong with the text is for its
 * translation to say. Throws what parsing throws.
 */
export function assumeTables(text: string, options: TranslateOptions, undeclared: readonly string[] = []): AssumedTables {
  return new Sketcher(text, options, undeclared).sketch();
}

class Sketcher {
  readonly #text: string;
  readonly #options: TranslateOptions;
  readonly #scopes: readonly FromScope[];
  readonly #tables = new Map<string, SketchedTable>();
  /** By `@name` in lower case. */
  readonly #parameters: ReadonlyMap<string, Sketch>;
  /** A parameter whose type is on trial. */
  #tried: Sketch | undefined;
  /** The places at which types have been made to fit. */
  readonly #settled = new Set<string>();
  #left = MOST_TRANSLATIONS;
  /** Of the last translation that succeeded. */
  #doubts: readonly Doubt[] = [];
  /** Arrays and queries that are being looked into. */
  readonly #followed = new Set<FromItem>();

  constructor(text: string, options: TranslateOptions, undeclared: readonly string[]) {
    this.#text = text;
    this.#options = options;
    this.#scopes = fromScopes(parse(text));
    this.#parameters = new Map(
      undeclared.map((name) => [`@${name.toLowerCase()}`, { name, leaf: STRING, isArray: false, fields: new Map() }]),
    );
  }

  sketch(): AssumedTables {
    const end = this.#settle();
    this.#makeTimes();
    const parameters = new Map(
      [...this.#parameters.values()].map((sketch) => [sketch.name, { type: typeOf(sketch), isGuess: this.#isGuess(sketch, end) }]),
    );
    const tables = [...this.#tables.values()].map(({ name, span, columns }) => {
      const found = columnsOf(columns);
      return { name, span, columns: found, text: columnsText(found) };
    });
    return { sources: this.#sources(), tables, parameters };
  }

  /** Learns from the translator until nothing is missing, or nothing can be learned; returns what then is still wrong. */
  #settle(): string {
    for (;;) {
      const error = this.#attempt();
      if (error === undefined || !this.#learn(error)) return error === undefined ? '' : `${error.message} ${error.details.span?.start}`;
    }
  }

  /** Gives parameters that are texts in place of dates and times the types of these. */
  #makeTimes(): void {
    for (const { kind, name, instead } of this.#doubts) {
      const sketch = this.#parameters.get(`@${name.toLowerCase()}`);
      const leaf = Object.values(SCALAR_TYPES).find((type) => type.kind === instead);
      if (kind !== 'text-as-time' || sketch === undefined || leaf === undefined) continue;
      const before = sketch.leaf;
      Object.assign(sketch, { leaf, isKnown: true });
      if (this.#attempt() !== undefined) Object.assign(sketch, { leaf: before, isKnown: false });
    }
  }

  /** Tries another type for a parameter, to which columns may adapt; everything is as before then. */
  #isGuess(sketch: Sketch, end: string): boolean {
    const other = OTHERS[sketch.leaf.kind];
    if (other === undefined || sketch.isKnown === true) return false;
    const before = this.#leaves().map((one) => [one, { ...one }] as const);
    const settled = [...this.#settled];
    this.#tried = sketch;
    sketch.leaf = other;
    const isGuess = this.#settle() === end;
    this.#tried = undefined;
    for (const [one, { leaf, isArray }] of before) Object.assign(one, { leaf, isArray });
    this.#settled.clear();
    for (const place of settled) this.#settled.add(place);
    return isGuess;
  }

  #leaves(): readonly Sketch[] {
    const within = (sketches: Iterable<Sketch>): readonly Sketch[] => [...sketches].flatMap((one) => [one, ...within(one.fields.values())]);
    return [...within(this.#parameters.values()), ...[...this.#tables.values()].flatMap(({ columns }) => within(columns.values()))];
  }

  #sources(): SourceCatalog {
    const { sources } = this.#options;
    const assumed = new Map<string, Source>();
    for (const [key, { name, columns }] of this.#tables) assumed.set(key, assumedSource(name, columnsOf(columns)));
    return {
      names: [...(sources?.names ?? []), ...[...this.#tables.values()].map(({ name }) => name)],
      empty: sources?.empty ?? [],
      find: (name) => assumed.get(name.toLowerCase()) ?? sources?.find(name),
    };
  }

  /** Returns what the translator misses. */
  #attempt(): QuernError | undefined {
    this.#left--;
    if (this.#left < 0) return undefined;
    try {
      const own = [...this.#parameters.values()].map((sketch) => [sketch.name, typeOf(sketch)] as const);
      const parameters = { ...this.#options.parameters, ...Object.fromEntries(own) };
      this.#doubts = translateSpecializable(this.#text, { ...this.#options, parameters, sources: this.#sources() }).doubts ?? [];
      return undefined;
    } catch (error) {
      if (error instanceof QuernError) return error;
      throw error;
    }
  }

  /** Returns whether the error has led to anything new. */
  #learn({ code, message, details: { span, source } }: QuernError): boolean {
    if (span === undefined || source !== undefined) return false;
    if (code === 'unknown-source') return this.#addTable(span);
    if (code === 'unknown-column') return this.#addColumn(span);
    return (
      code === 'type' && (this.#addStarred(span) || this.#addColumn(span) || this.#makeArray(span) || this.#changeTypes(span, message))
    );
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
      const tables = scope.items.flatMap((one) => this.#behind(one));
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
    const [table] = this.#behind(item);
    if (table !== undefined) return add(table.columns, path);
    const array = this.#elementsOf(item, scope);
    return array !== undefined && add(array.fields, path);
  }

  /** Returns the array of an assumed table whose elements the item stands for. */
  #elementsOf(item: FromItem, scope: FromScope): Sketch | undefined {
    const { array } = item;
    return array === undefined ? undefined : this.#follow(item, () => this.#find(array, this.#scopesAt(scope.span), item));
  }

  /** Finds what stands in an item, which never stands in itself. */
  #follow(item: FromItem, find: () => Sketch | undefined): Sketch | undefined {
    if (this.#followed.has(item)) return undefined;
    this.#followed.add(item);
    const found = find();
    this.#followed.delete(item);
    return found;
  }

  /** Returns the arrays of assumed tables in a FROM; the path of the array `of` is among the fields of those before it. */
  #arraysIn(scope: FromScope, path: readonly string[], of?: FromItem): readonly Sketch[] {
    const at = of === undefined ? -1 : scope.items.indexOf(of);
    const others = (at === -1 ? scope.items : scope.items.slice(0, at)).filter(({ array }) => array?.join('.') !== path.join('.'));
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

  /** Tries other types of the parameters and columns in a part of the text, one after the other and then all; first those that the error names. */
  #changeTypes(span: Span, message: string): boolean {
    const inside = this.#scopes.flatMap((scope) => scope.paths.filter((one) => span.start <= one.span.start && one.span.end <= span.end));
    const found = inside.flatMap((one) => this.#find(one.parts, this.#scopesAt(one.span)) ?? []);
    const sketches = [...new Set(found)].filter((one) => one.fields.size === 0 && one !== this.#tried);
    const [parameters, columns] = partition(sketches, (one) => this.#parameters.get(`@${one.name.toLowerCase()}`) === one);
    const groups = [...[...parameters, ...columns].map((one) => [one]), ...[parameters, sketches].filter(({ length }) => length > 1)];
    const known = inside.flatMap((one) => this.#knownType(one.parts, this.#scopesAt(one.span)) ?? []);
    const [named, others] = partition(TRIED, ({ kind }) => new RegExp(`\\b${kind}\\b`).test(message));
    for (const group of groups) {
      const before = group.map(({ leaf, isArray }) => ({ leaf, isArray }));
      for (const isArray of [false, true])
        for (const leaf of [...known, ...(isArray ? [STRING] : []), ...named, ...others]) {
          for (const sketch of group) Object.assign(sketch, { leaf, isArray, isKnown: known.includes(leaf) });
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

  /** Returns the type of a column of a table that the options know. */
  #knownType(parts: readonly string[], scopes: readonly FromScope[]): Type | undefined {
    for (const { alias, parts: table } of scopes.flatMap(({ items }) => items)) {
      const column = parts.length > 1 && parts[0]?.toLowerCase() === alias?.toLowerCase() ? parts[1] : parts[0];
      const source = table === undefined ? undefined : this.#known(table.join('.'));
      const type = source?.columns.find(({ name }) => name.toLowerCase() === column?.toLowerCase())?.type;
      if (type !== undefined && type.kind !== 'ARRAY' && type.kind !== 'STRUCT') return type;
    }
    return undefined;
  }

  #known(table: string): Source | undefined {
    const { sources } = this.#options;
    const found = sources && sourceOrError(sources, table);
    return found instanceof QuernError ? undefined : found; // the translation says what is wrong with it
  }

  /** Returns the parameter, or the column or field of an assumed table, that a path leads to, which may be that of the array `of` in FROM. */
  #find(parts: readonly string[], scopes: readonly FromScope[], of?: FromItem): Sketch | undefined {
    const [first = '', ...rest] = parts;
    if (first.startsWith('@')) return this.#parameters.get(first.toLowerCase());
    for (const scope of scopes) {
      const item = scope.items.find(({ alias }) => alias?.toLowerCase() === first.toLowerCase());
      if (item === undefined) continue;
      const table = this.#tableOf(item);
      if (table !== undefined && rest.length > 0) return lookUp(table.columns, rest);
      const array = this.#elementsOf(item, scope);
      if (array !== undefined) return rest.length === 0 ? array : lookUp(array.fields, rest);
      const read = rest.length === 0 ? undefined : this.#findIn(item, rest);
      if (read !== undefined) return read;
    }
    for (const scope of scopes) {
      const tables = this.#tablesIn(scope).map(({ columns }) => lookUp(columns, parts));
      const fields = this.#arraysIn(scope, parts, of).map((array) => lookUp(array.fields, parts));
      const found = [...tables, ...fields, ...scope.items.map((item) => this.#findIn(item, parts))].find((one) => one !== undefined);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns what a path into the rows of a subquery or WITH table leads to. */
  #findIn(item: FromItem, [first = '', ...rest]: readonly string[]): Sketch | undefined {
    const scope = item.query && this.#scopes.find(({ span }) => span === item.query);
    const output = scope?.outputs.get(first.toLowerCase());
    const at = output?.span ?? scope?.star;
    if (scope === undefined || at === undefined) return undefined;
    // A query in FROM sees no names around it.
    const own = this.#scopesAt(at).filter(({ span }) => scope.span.start <= span.start && span.end <= scope.span.end);
    return this.#follow(item, () => this.#find([...(output?.parts ?? [first]), ...rest], own));
  }

  /** Adds columns to a table that is read with `*` alone: those that others read of this query. */
  #addStarred(span: Span): boolean {
    const scopes = this.#scopes.filter(({ star }) => star?.start === span.start && star.end === span.end);
    const table = scopes.flatMap(({ items }) => items.flatMap((item) => this.#behind(item)))[0];
    if (table === undefined) return false;
    const names = this.#scopes.flatMap(({ items, paths }) => {
      const item = items.find(({ query }) => scopes.some((scope) => scope.span === query));
      if (item === undefined) return [];
      return paths.flatMap(({ parts: [first = '', second] }) => {
        if (first.toLowerCase() === item.alias?.toLowerCase()) return second ?? [];
        return items.length === 1 && !first.startsWith('@') ? first : [];
      });
    });
    return names.reduce((added, name) => add(table.columns, [name]) || added, false);
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

  /** Returns the scopes of a query with `*`: its own, and that of its SELECT. */
  #starred(query: Span | undefined): readonly FromScope[] {
    const star = this.#scopes.find(({ span }) => span === query)?.star;
    return star === undefined ? [] : this.#scopes.filter((scope) => scope.star === star);
  }

  /** Returns the tables whose columns the item has: its own, or those that a query shows with `*`. */
  #behind(item: FromItem): readonly SketchedTable[] {
    const own = this.#tableOf(item);
    if (own !== undefined) return [own];
    return [...new Set(this.#starred(item.query).flatMap(({ items }) => items.flatMap((inner) => this.#behind(inner))))];
  }

  #tableOf({ parts }: FromItem): SketchedTable | undefined {
    return parts === undefined ? undefined : this.#tables.get(parts.join('.').toLowerCase());
  }
}

const partition = <T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
];

const bySize = (a: { readonly span: Span }, b: { readonly span: Span }): number => a.span.end - a.span.start - (b.span.end - b.span.start);

const placeOf = ({ start, end }: Span): string => `${start} ${end}`;

/** The table of a server that the name means. */
function assumedSource(name: string, columns: readonly DeclaredColumn[]): Source {
  const { dataset, table = name } = tablePath(name) ?? {};
  return declaredSource({ name, database: dataset, table }, columns);
}
