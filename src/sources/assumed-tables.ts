// Tables and parameters that nobody has declared, sketched from a query that reads them: which columns it names, and of which types these must be for it to
// make sense. The analyzer says what it misses; each answer of it adds a table, a column, a field, or another type.
import { QuernError } from '../base/errors.ts';
import type { Span } from '../base/source-text.ts';
import { SCALAR_TYPES, STRING, type Type } from '../sql/base/types.ts';
import { findNames, type NamesFound, translateSpecializable } from '../sql/index.ts';
import type { Source, SourceCatalog } from '../sql/source.ts';
import type { Doubt, TranslateOptions } from '../sql/translation.ts';
import { declaredSource } from './declared-table.ts';
import { columnsText } from './loaded/stored-table.ts';
import { add, columnsOf, newSketch, type Sketch, typeOf } from './sketch.ts';
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

const MOST_ANALYSES = 600;
/** The name of a column that no text names. */
const REST = '*';
/** Types that are tried where a column's does not fit, the likeliest first. */
const LIKELY = ['INT64', 'FLOAT64', 'STRING', 'TIMESTAMP', 'DATE', 'BOOL', 'DATETIME', 'NUMERIC', 'JSON', 'BYTES', 'TIME'] as const;
const TRIED: readonly Type[] = LIKELY.map((name) => SCALAR_TYPES[name]);

/** A parameter of the first type is only guessed where the second does as well. */
const OTHERS: Readonly<Partial<Record<Type['kind'], Type>>> = { STRING: SCALAR_TYPES.INT64, INT64: SCALAR_TYPES.FLOAT64 };

interface Analyzed extends NamesFound {
  readonly doubts?: readonly Doubt[] | undefined;
}

interface SketchedTable {
  readonly span: Span;
  /** Its columns are the fields. */
  readonly row: Sketch;
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
  readonly #tables = new Map<string, SketchedTable>();
  readonly #parameters: readonly Sketch[];
  /** The sketches by the types that the analyzer got for them: what it finds to be of that very type is the sketched column, field or row. */
  readonly #meanings = new WeakMap<Type, Sketch>();
  /** The table that the analyzer asked for last. */
  #wanted = '';
  /** A parameter whose type is on trial. */
  #tried: Sketch | undefined;
  /** The places at which types have been made to fit. */
  readonly #settled = new Set<string>();
  #left = MOST_ANALYSES;

  constructor(text: string, options: TranslateOptions, undeclared: readonly string[]) {
    this.#text = text;
    this.#options = options;
    this.#parameters = undeclared.map((name) => newSketch(name, STRING));
  }

  sketch(): AssumedTables {
    const { error: end, doubts } = this.#settle();
    this.#makeTimes(doubts ?? []);
    const parameters = new Map(
      this.#parameters.map((sketch) => [sketch.name, { type: typeOf(sketch), isGuess: this.#isGuess(sketch, end) }]),
    );
    const tables = [...this.#tables.values()].map(({ span, row: { name, fields } }) => {
      const columns = columnsOf(fields);
      return { name, span, columns, text: columnsText(columns) };
    });
    return { sources: this.#sources(), tables, parameters };
  }

  /** Learns from the analyzer until nothing is missing, or nothing can be learned; returns what it finds then. */
  #settle(): Analyzed {
    for (;;) {
      const found = this.#analyze();
      if (found.error === undefined || !this.#learn(found, found.error)) return found;
    }
  }

  /** Gives parameters that are texts in place of dates and times the types of these. */
  #makeTimes(doubts: readonly Doubt[]): void {
    for (const { kind, name, instead } of doubts) {
      const sketch = this.#parameters.find((one) => one.name.toLowerCase() === name.toLowerCase());
      const leaf = Object.values(SCALAR_TYPES).find((type) => type.kind === instead);
      if (kind !== 'text-as-time' || sketch === undefined || leaf === undefined) continue;
      const before = sketch.leaf;
      Object.assign(sketch, { leaf, isKnown: true });
      if (this.#analyze().error !== undefined) Object.assign(sketch, { leaf: before, isKnown: false });
    }
  }

  /** Tries another type for a parameter, to which columns may adapt; everything is as before then. `end`: what is wrong with the text in the end. */
  #isGuess(sketch: Sketch, end: QuernError | undefined): boolean {
    const other = OTHERS[sketch.leaf.kind];
    if (other === undefined || sketch.isKnown === true) return false;
    const before = this.#leaves().map((one) => [one, { ...one }] as const);
    const settled = [...this.#settled];
    this.#tried = sketch;
    sketch.leaf = other;
    const { error } = this.#settle();
    const isGuess = error?.message === end?.message && error?.details.span?.start === end?.details.span?.start;
    this.#tried = undefined;
    for (const [one, { leaf, isArray }] of before) Object.assign(one, { leaf, isArray });
    this.#settled.clear();
    for (const place of settled) this.#settled.add(place);
    return isGuess;
  }

  #leaves(): readonly Sketch[] {
    const within = (sketches: Iterable<Sketch>): readonly Sketch[] => [...sketches].flatMap((one) => [one, ...within(one.fields.values())]);
    return within([...this.#parameters, ...[...this.#tables.values()].map(({ row }) => row)]);
  }

  /** With `open` every table has a last column, by whose type its rows are known wherever `*` has brought it. */
  #sources({ open = false } = {}): SourceCatalog {
    const { sources } = this.#options;
    const assumed = new Map([...this.#tables].map(([key, { row }]) => [key, this.#sourceOf(row, open)]));
    return {
      names: [...(sources?.names ?? []), ...[...this.#tables.values()].map(({ row }) => row.name)],
      empty: sources?.empty ?? [],
      find: (name) => {
        this.#wanted = name;
        return assumed.get(name.toLowerCase()) ?? sources?.find(name);
      },
    };
  }

  /** Returns the table of a server that the name of a row means. */
  #sourceOf(row: Sketch, open: boolean): Source {
    const { name, fields } = row;
    const rest: Type = { ...STRING };
    this.#meanings.set(rest, row);
    const declared = [...columnsOf(fields, this.#meanings), ...(open ? [{ name: REST, type: rest }] : [])];
    const source = declaredSource(name, declared);
    const typeIn = (column: string): Type | undefined => declared.find((one) => one.name === column)?.type;
    return { ...source, columns: source.columns.map((column) => ({ ...column, type: typeIn(column.name) ?? column.type })) };
  }

  #analyze({ open = false } = {}): Analyzed {
    this.#left--;
    const found = findNames(this.#text, this.#given({ open }));
    if (found.error !== undefined || open) return found;
    try {
      return { ...found, doubts: translateSpecializable(this.#text, this.#given()).doubts };
    } catch (error) {
      // Only the whole translation knows what parts a date or a time has.
      if (error instanceof QuernError) return { ...found, error };
      throw error;
    }
  }

  #given({ open = false } = {}): TranslateOptions {
    const own = this.#parameters.map((sketch) => [sketch.name, typeOf(sketch, this.#meanings)] as const);
    const parameters = { ...this.#options.parameters, ...Object.fromEntries(own) };
    return { ...this.#options, parameters, sources: this.#sources({ open }) };
  }

  /** Returns whether the error has led to anything new. */
  #learn(found: NamesFound, { code, message, details: { span, source } }: QuernError): boolean {
    if (span === undefined || source !== undefined || this.#left < 0) return false;
    if (code === 'unknown-source') return this.#addTable(span);
    if (code !== 'unknown-column' && code !== 'type') return false;
    return this.#addName() || (code === 'type' && this.#changeTypes(found, span, message));
  }

  #addTable(span: Span): boolean {
    const key = this.#wanted.toLowerCase();
    if (this.#tables.has(key)) return false;
    this.#tables.set(key, { span, row: newSketch(this.#wanted, STRING) });
    return true;
  }

  /** Adds the first column or field that is not found to what could have it. */
  #addName(): boolean {
    const { error, missingAt } = this.#analyze({ open: true });
    if (error?.details.span === undefined || error.details.source !== undefined) return false;
    for (const { of, path } of missingAt(error.details.span)) {
      const rest = of.kind === 'STRUCT' ? of.fields.find(({ name }) => name === REST)?.type : undefined;
      const sketch = this.#meanings.get(rest ?? of);
      // A parameter whose fields are read is rather JSON than a STRUCT.
      if (sketch !== undefined && !this.#parameters.includes(sketch)) return add(sketch.fields, path);
    }
    return false;
  }

  /** Tries other types of the parameters and columns in a part of the text, one after the other and then all; first those that the error names. */
  #changeTypes(found: NamesFound, span: Span, message: string): boolean {
    const types = found.typesIn(span);
    const sketches = [...new Set(types.flatMap((type) => this.#meanings.get(type) ?? []))].filter((one) => one !== this.#tried);
    const [records, leaves] = partition(sketches, ({ fields }) => fields.size > 0);
    const [parameters, columns] = partition(leaves, (one) => this.#parameters.includes(one));
    const groups = [...[...parameters, ...columns].map((one) => [one]), ...[parameters, leaves].filter(({ length }) => length > 1)];
    const known = types.filter((type) => !this.#meanings.has(type) && type.kind in SCALAR_TYPES);
    const [named, others] = partition(TRIED, ({ kind }) => new RegExp(`\\b${kind}\\b`).test(message));
    const likely = [...known, ...named, ...others];
    for (const group of groups) {
      const forms = [
        ...likely.map((leaf) => ({ leaf, isArray: false })),
        ...[...known, STRING, ...named, ...others].map((leaf) => ({ leaf, isArray: true })),
      ];
      for (const form of forms) if (this.#fits(group, { ...form, isKnown: known.includes(form.leaf) }, found, span)) return true;
    }
    return records.some((one) => !one.isArray && this.#fits([one], { isArray: true }, found, span));
  }

  /** Gives the sketches another form, unless the types at the place that was `found` wrong do not fit then, or no longer do elsewhere. */
  #fits(group: readonly Sketch[], form: Partial<Sketch>, found: NamesFound, span: Span): boolean {
    const before = group.map(({ leaf, isArray, isKnown }) => ({ leaf, isArray, isKnown }));
    for (const sketch of group) Object.assign(sketch, form);
    const { error, typesIn } = this.#analyze();
    const at = error?.details.span;
    const isType = error?.code === 'type' && at !== undefined;
    // Of a part of the place that the analysis had not come to, nothing is known yet.
    const isNew = isType && found.typesIn(at).length === 0 && typesIn(at).length > 0;
    if (isType && ((!isNew && span.start <= at.start && at.end <= span.end) || this.#settled.has(placeOf(at)))) {
      for (const [i, sketch] of group.entries()) Object.assign(sketch, before[i]);
      return false;
    }
    this.#settled.add(placeOf(span));
    return true;
  }
}

const partition = <T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
];

const placeOf = ({ start, end }: Span): string => `${start} ${end}`;
