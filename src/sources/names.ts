// The `names:` section of quern.yaml: rules that turn the names of BigQuery's tables, `my-proj.shop.orders`, into those of ClickHouse's.
import { didYouMean, QuernError } from '../base/errors.ts';
import { type Field, mappingOf } from '../fields/field.ts';
import { readSection, type Section } from '../fields/value-at.ts';
import { type EngineTable, writtenTable } from './source-definition.ts';
import { TABLES_DATABASE } from './table-names.ts';

/** `"my-proj.*.*": "{2}.{3}"`. */
export interface NameRule {
  /** As it stands in the file. */
  readonly text: string;
  /** The parts between the dots; `*` is any. */
  readonly pattern: readonly string[];
  /** A name, or a database and a name; `{2}` is the second part. */
  readonly target: readonly string[];
}

/** Databases that hold no data of the user's: what the engine knows of itself. No rule reaches them. */
export const OF_THE_ENGINE = /^(?:system|information_schema|_temporary.*)$/i;
/** What a part of a name may hold to stand for a part of a table's name: nothing that a path or another name could be made of. */
const PART = /^[\p{L}\p{N}_-]+$/u;
const LAST_PART = /^[\p{L}\p{N}_-]*\*?$/u;

const TARGET_HINT = 'write "{2}.{3}"';

const RULE: Field<NameRule> = {
  schema: {
    type: 'string',
    description: 'database.table, or the name of a source; {2} is the second part of the name',
    examples: ['{2}.{3}'],
  },
  read(value) {
    const text = String(value.path.at(-1));
    const pattern = text.split('.');
    const wrongName = (message: string, hint: string) => value.problem(message, hint, { of: 'key' });
    if (pattern.some((part) => part !== '*' && !PART.test(part)))
      return wrongName('is not a name with * for its parts', 'write "my-proj.*.*"');
    if (pattern.length < 2)
      return wrongName('has no dot', 'names without a dot belong to sources and WITH tables: use `aliases` of a source');
    if (typeof value.value !== 'string') return value.problem('must be the name of a table', TARGET_HINT);
    const target = value.value.split('.');
    if (target.length > 2 || target.some((part) => !/^(?:[\p{L}\p{N}_-]|\{\d+\})+$/u.test(part)))
      return value.problem(`${JSON.stringify(value.value)} is not database.table`, TARGET_HINT);
    const [, odd] = [...value.value.matchAll(/\{(\d+)\}/g)].find(([, number]) => pattern[Number(number) - 1] === undefined) ?? [];
    if (odd !== undefined) return value.problem(`has no part {${odd}}`, `${text} has ${pattern.length} parts, the first is {1}`);
    const [database = ''] = target;
    if (target.length === 2 && OF_THE_ENGINE.test(database))
      return value.problem(`would open the database ${database}, which is the engine's own`);
    return { text, pattern, target };
  },
};

export const NAMES = mappingOf(
  'names',
  RULE,
  { description: 'which tables the names in queries refer to: "my-proj.*.*": "{2}.{3}"' },
  'write names: { "my-proj.*.*": "{2}.{3}" }',
);

/** The rules of the section. Throws QuernError `config` with every problem and its place. */
export const readNameRules = (section: Section): readonly NameRule[] =>
  readSection(section, { what: 'the section names', above: ['names'] }, (names) => Object.values(NAMES.read(names) ?? {}));

/** What the first rule whose pattern the name has makes of it, as it would be written in FROM. */
export function ruledName(name: string, rules: readonly NameRule[]): { readonly name: string; readonly rule: NameRule } | undefined {
  const parts = name.split('.');
  const rule = rules.find((one) => fits(parts, one));
  const written = rule?.target.map((part) => part.replace(/\{(\d+)\}/g, (_, n: string) => parts[Number(n) - 1] ?? ''));
  return rule === undefined || written === undefined ? undefined : { name: written.join('.'), rule };
}

/** Whether a rule leads the name to what is not the engine's own. */
export function ruledOutOfTheEngine(name: string, rules: readonly NameRule[]): boolean {
  const [, database = ''] = ruledName(name, rules)?.name.split('.').toReversed() ?? ['', 'system'];
  return !OF_THE_ENGINE.test(database);
}

/**
 * The table of `name` by the first rule whose pattern it has. `closed` are databases that rules do not reach here; '' stands for the connection's own.
 * Throws QuernError `unknown-source` where the table would be in one of those.
 */
export function mappedName(name: string, rules: readonly NameRule[], closed: readonly string[] = []): EngineTable | undefined {
  const ruled = ruledName(name, rules);
  if (ruled === undefined) return undefined;
  const [last = '', database = ''] = ruled.name.split('.').toReversed();
  if (database === '' && closed.includes('')) {
    throw new QuernError(
      'unknown-source',
      `${name}: names: ${ruled.rule.text} leads to ${last}, which is no source, and no table that was loaded`,
      {
        hint: `if it has yet to be loaded: quern load ${last} FILE`,
      },
    );
  }
  if (OF_THE_ENGINE.test(database) || closed.includes(database.toLowerCase()) || database.includes('*')) {
    throw new QuernError('unknown-source', `${name}: names: ${ruled.rule.text} cannot lead to the database ${database}`, {
      hint: database === TABLES_DATABASE ? BY_NAME : 'rules can only lead to databases with your own tables',
    });
  }
  return writtenTable(database === '' ? undefined : database, last);
}

const BY_NAME = 'a table that was loaded has a name and no database: write the name alone';

/**
 * Throws QuernError `unknown-source` for a table, which is none that was loaded, in one of the databases that are `closed` on this engine, as for mappedName:
 * the store's own, and chdb's default database, in which the path of any file is a table.
 */
export function checkReach({ database = '', table, wildcard }: EngineTable, closed: readonly string[]): void {
  if (closed.length === 0) return;
  const name = `${table}${wildcard === true ? '*' : ''}`;
  if (database === '' && closed.includes(''))
    throw new QuernError('unknown-source', `there is no table ${name} in the store`, {
      hint: `if it has yet to be loaded: quern load ${name} FILE`,
    });
  if (OF_THE_ENGINE.test(database) || closed.includes(database.toLowerCase()))
    throw new QuernError('unknown-source', `the database ${database} holds no tables of yours`, { hint: BY_NAME });
}

function fits(parts: readonly string[], { pattern, target }: NameRule): boolean {
  return (
    parts.length === pattern.length &&
    parts.every((part, i) => {
      const wanted = pattern[i] ?? '';
      // What the table's name gets nothing of, such as the `<your-project>` of a published query, may be anything.
      const unused = part !== '' && !target.some((written) => written.includes(`{${i + 1}}`));
      const valid = i === parts.length - 1 ? LAST_PART.test(part) && part !== '' : unused || PART.test(part);
      return valid && (wanted === '*' || wanted.toLowerCase() === part.toLowerCase());
    })
  );
}

/** Why a name leads to no table, with the nearest that there is. */
export function noSuchTable(name: string, { database, table, wildcard }: EngineTable, tables: readonly string[]): QuernError {
  const where = database === undefined ? 'the default database' : `the database ${database}`;
  const all = tables.length === 0 ? `${where} has no tables` : `its tables are: ${tables.slice(0, 20).join(', ')}`;
  if (wildcard === true) {
    return new QuernError('unknown-source', `${name}: ${where} has no table whose name starts with ${table}`, {
      hint: all,
    });
  }
  return new QuernError('unknown-source', `${name}: ${where} has no table ${table}`, {
    hint: didYouMean(table, tables) ?? all,
  });
}
