// The SQL of a translation for one set of arguments: shorter than that for all, with the same rows. It needs no translator.
import type { Statement } from '../target/ast.ts';
import type { KnownValue } from '../target/known-value.ts';
import { printStatement } from '../target/print.ts';
import { specialize } from '../target/specialize.ts';
import { readStatement } from '../target/stored-statement.ts';
import type { SpecializableTranslation, TranslatedParameter, Translation } from '../translation.ts';

/** Arguments by the name of their parameter, in the form in which they are bound. */
type GivenValues = Readonly<Record<string, unknown>>;

type Bindable = Pick<SpecializableTranslation, 'sql' | 'parameters' | 'statement'>;

const trees = new WeakMap<object, Statement>();

/**
 * SQL and parameters of `translation` where the parameters have `values`; a name that `values` lacks is NULL. They are those of the translation
 * itself where nothing hangs on arguments. `held`: what is there as long as the translation is used again; default: the translation.
 */
export function bind(translation: Bindable, values: GivenValues, held: object = translation): Pick<Translation, 'sql' | 'parameters'> {
  const { statement, sql, parameters } = translation;
  if (statement === undefined) return { sql, parameters };
  const tree = trees.get(held) ?? readStatement(statement);
  trees.set(held, tree);
  const known = new Map<string, KnownValue>();
  for (const { name, type } of parameters) {
    const value = knownForm(type, values[name] ?? null);
    if (value !== undefined) known.set(name, value);
  }
  const folded = specialize(tree, known);
  return { sql: printStatement(folded.statement), parameters: parameters.filter(({ name }) => folded.parameters.has(name)) };
}

/** Types whose values compare in ClickHouse as they do here. */
const FORMS: Readonly<Record<string, (value: unknown) => KnownValue | undefined>> = {
  // What is no whole text is bound with other characters.
  String: (value) => (typeof value === 'string' && !/\p{Surrogate}/u.test(value) ? value : undefined),
  Bool: (value) => (typeof value === 'boolean' ? value : undefined),
  // Bound as digits, so that none is lost.
  Int64: (value) => (typeof value === 'bigint' || Number.isSafeInteger(value) || isDigits(value) ? BigInt(value as string) : undefined),
};

const isDigits = (value: unknown): boolean => typeof value === 'string' && /^-?\d+$/.test(value);

function knownForm(type: string, value: unknown): KnownValue | undefined {
  const inner = /^Nullable\((.*)\)$/.exec(type)?.[1];
  return value === null ? (inner === undefined ? undefined : null) : FORMS[inner ?? type]?.(value);
}

/** Characters of SQL: servers keep the trees of many queries, each some ten times as large as its text. */
const MAX_FOLDED = 20_000;

/** Whether conditions on parameters of these types may be told without the engine. */
export const maySpecialize = (sql: string, parameters: readonly TranslatedParameter[]): boolean =>
  sql.length <= MAX_FOLDED && parameters.some(({ type }) => (/^Nullable\((.*)\)$/.exec(type)?.[1] ?? type) in FORMS);
