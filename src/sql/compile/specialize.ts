// The SQL of a translation for one set of arguments: it is shorter than the SQL for all arguments, and returns the same rows. It needs no translator.
import type { Statement } from '../target/ast.ts';
import { hasFragileConstant } from '../target/fragile-constants.ts';
import type { KnownValue } from '../target/known-value.ts';
import { withPlainCounts } from '../target/plain-counts.ts';
import { printStatement } from '../target/print.ts';
import { FRAGILE_SETTINGS } from '../target/settings.ts';
import { specialize } from '../target/specialize.ts';
import { readStatement } from '../target/stored-statement.ts';
import { INSTANT_PARAMETER, type SpecializableTranslation, type TranslatedParameter, type Translation } from '../translation.ts';

/** Arguments by the names of their parameters, in the form in which they are bound. */
type GivenValues = Readonly<Record<string, unknown>>;

type Bindable = Pick<SpecializableTranslation, 'sql' | 'parameters' | 'statement'> & Partial<Pick<Translation, 'settings'>>;

const [FRAGILE = ''] = Object.keys(FRAGILE_SETTINGS);

const trees = new WeakMap<object, Statement>();

/**
 * Returns the SQL, parameters and settings of `translation` where the parameters have `values`; a name that `values` lacks is NULL. `owner` is an object that
 * lives as long as the translation is used again: the tree that was read is cached for it.
 */
export function bind(
  translation: Bindable,
  values: GivenValues,
  owner: object = translation,
): Pick<Translation, 'sql' | 'parameters' | 'settings'> {
  const { statement, sql, parameters, settings = {} } = translation;
  if (statement === undefined) return { sql, parameters, settings };
  const tree = trees.get(owner) ?? readStatement(statement);
  trees.set(owner, tree);
  const known = new Map<string, KnownValue>();
  for (const { name, type } of parameters) {
    const value = knownForm(type, values[name] ?? null);
    if (value !== undefined) known.set(name, value);
  }
  const folded = specialize(tree, known);
  const isPlain = FRAGILE in settings && !hasFragileConstant(folded.statement, INSTANT_PARAMETER);
  const { [FRAGILE]: _, ...plain } = settings;
  return {
    sql: printStatement(withPlainCounts(folded.statement)),
    parameters: parameters.filter(({ name }) => folded.parameters.has(name)),
    settings: isPlain ? plain : settings,
  };
}

/** The types whose values compare in ClickHouse as they do here, and their values in the form that is compared. */
const FORMS: Readonly<Record<string, (value: unknown) => KnownValue | undefined>> = {
  // A text with half a character is bound with other characters.
  String: (value) => (typeof value === 'string' && !/\p{Surrogate}/u.test(value) ? value : undefined),
  Bool: (value) => (typeof value === 'boolean' ? value : undefined),
  // It is bound as digits, so that none is lost.
  Int64: (value) => (typeof value === 'bigint' || Number.isSafeInteger(value) || isDigits(value) ? BigInt(value as string) : undefined),
};

const isDigits = (value: unknown): boolean => typeof value === 'string' && /^-?\d+$/.test(value);

function knownForm(type: string, value: unknown): KnownValue | undefined {
  const inner = /^Nullable\((.*)\)$/.exec(type)?.[1];
  if (value === null) return inner === undefined ? undefined : null;
  return FORMS[inner ?? type]?.(value);
}

/** The most characters of SQL: servers keep the trees of many queries, each some ten times as large as its text. */
const MAX_FOLDED = 20_000;

/** True if conditions on parameters of these types may be decided without the engine. */
export const maySpecialize = (sql: string, parameters: readonly TranslatedParameter[]): boolean =>
  sql.length <= MAX_FOLDED && parameters.some(({ type }) => (/^Nullable\((.*)\)$/.exec(type)?.[1] ?? type) in FORMS);
