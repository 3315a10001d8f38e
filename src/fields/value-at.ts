// A value in a file that people write: where it stands, and what is found to be wrong with it.
import { messageAbout, nearest, QuernError } from '../base/errors.ts';
import { positionAt, type SourceText, type Span } from '../base/source-text.ts';

/** The names and positions above a value. */
export type Path = readonly (string | number)[];

/** A file or a part of one: its value, and where in the file the value at a path stands. */
export interface Section {
  readonly value: unknown;
  readonly source?: SourceText | undefined;
  /** Returns undefined for a path at which nothing stands; with `of`, where the last of its names does. */
  spanAt?(path: Path, of?: 'key'): Span | undefined;
}

interface Finding {
  readonly path: Path;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The problem is the name, not the value. */
  readonly of?: 'key' | undefined;
}

interface Reading extends Omit<Section, 'value'> {
  report(finding: Finding): void;
}

const NO_TEXT: SourceText = { name: '', text: '' };

export const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export class ValueAt {
  readonly value: unknown;
  readonly path: Path;
  private readonly reading: Reading;

  constructor(value: unknown, reading: Reading, path: Path = []) {
    this.value = value;
    this.path = path;
    this.reading = reading;
  }

  /** The names of a mapping, in the order of the file. */
  get names(): readonly string[] {
    return isMapping(this.value) ? Object.keys(this.value).filter((name) => this.has(name)) : [];
  }

  /** The elements of a list. */
  get items(): readonly ValueAt[] {
    return Array.isArray(this.value) ? this.value.map((item: unknown, i) => this.below(i, item)) : [];
  }

  /** The parts of a text that is written for a list, as its elements. */
  split(parts: readonly string[]): readonly ValueAt[] {
    return parts.map((part, i) => this.below(i, part));
  }

  has(name: string): boolean {
    return isMapping(this.value) && Object.hasOwn(this.value, name) && this.value[name] !== undefined;
  }

  /** The value of a name in a mapping; undefined where the mapping has none. */
  at(name: string): ValueAt {
    return this.below(name, isMapping(this.value) && this.has(name) ? this.value[name] : undefined);
  }

  private below(name: string | number, value: unknown): ValueAt {
    return new ValueAt(value, this.reading, [...this.path, name]);
  }

  /** Reports what is wrong with the value, or with its name. Returns undefined, for a reader to return. */
  problem(message: string, hint?: string, more: Pick<Finding, 'of'> = {}): undefined {
    this.reading.report({ path: this.path, message, hint, ...more });
    return undefined;
  }

  /** Where the value is; of one that is missing, where it would be. */
  get place(): { readonly source: SourceText; readonly span: Span } {
    return { source: this.reading.source ?? NO_TEXT, span: spanOf(this.reading, this) ?? { start: 0, end: 0 } };
  }

  /** The text that the value is written as, such as all the digits of a number. */
  get text(): string {
    const { source, span } = this.place;
    return source.text.slice(span.start, span.end);
  }
}

interface SectionNames {
  /** What errors call the whole. */
  readonly what: string;
  /** The file that the section stands in, where its text is not known. */
  readonly file?: string | undefined;
  /** The names above the section. */
  readonly above?: Path;
}

/** The part of a section below `name`; undefined where it has none. */
export function partOf({ value, source, spanAt }: Section, name: string): Section | undefined {
  if (!isMapping(value) || !Object.hasOwn(value, name)) return undefined;
  return { value: value[name], source, spanAt: (path, of) => spanAt?.([name, ...path], of) };
}

/** What `read` makes of the section. Throws QuernError `config` with everything that is reported, at the place of the first. */
export function readSection<T>(section: Section, names: SectionNames, read: (value: ValueAt) => T): T {
  const findings: Finding[] = [];
  const result = read(new ValueAt(section.value, { ...section, report: (finding) => findings.push(finding) }));
  if (findings.length > 0) throw errorOf(section, names, findings);
  return result;
}

function errorOf(section: Section, { what, file, above = [] }: SectionNames, findings: readonly Finding[]): QuernError {
  const { source } = section;
  const placed = findings.map((finding) => ({ ...finding, name: nameOf([...above, ...finding.path]), span: spanOf(section, finding) }));
  const [first, ...others] = placed.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
  if (first === undefined) throw new RangeError('an error needs a problem');
  const place = source === undefined || first.span === undefined ? {} : { source, span: first.span };
  if (others.length === 0) {
    const message = messageAbout(first.name, first.message);
    return new QuernError('config', file === undefined ? message : `${file}: ${message}`, { ...place, hint: first.hint });
  }
  const problems = placed.map(({ name, message, hint, span }) => ({
    kind: source === undefined || span === undefined ? 'invalid' : `line ${positionAt(source.text, span.start).line}`,
    name,
    message: hint === undefined ? message : `${message} (${hint})`,
  }));
  return new QuernError('config', `${what} has ${problems.length} problems`, { ...place, problems });
}

/** `params.interval.default`, `checks[0].where`. */
const nameOf = (path: Path): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i === 0 ? '' : '.'}${part}`)).join('');

/** Where a path leads to, or the nearest that there is above it. */
function spanOf(section: Pick<Section, 'spanAt'>, { path, of }: Pick<Finding, 'path' | 'of'>): Span | undefined {
  const found = section.spanAt?.(path, of);
  return found !== undefined || path.length === 0 ? found : spanOf(section, { path: path.slice(0, -1) });
}

interface OtherNames {
  /** What other tools call the fields. */
  readonly meant?: Readonly<Record<string, string>> | undefined;
  /** Names that may stand there and say nothing. */
  readonly ignored?: readonly string[];
  /** Hint where no name is near, if not a list of them all. */
  readonly list?: string;
}

/** Reports every name of a mapping that is not one of `known`, and so is not `what`. */
export function refuseOthers(value: ValueAt, what: string, known: readonly string[], others: OtherNames = {}): void {
  const { meant = {}, ignored = [], list = `the fields are ${known.join(', ')}` } = others;
  for (const name of value.names) {
    if (known.includes(name) || ignored.includes(name)) continue;
    const near = meant[name] ?? nearest(name, known);
    value.at(name).problem(`is not ${what}`, near === undefined ? list : `did you mean ${near}?`, { of: 'key' });
  }
}
