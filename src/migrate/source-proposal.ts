// Proposes the entries of quern.yaml with which the tables of imported queries are known.

/** Names that a source can have in quern.yaml. */
const SOURCE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*\*?$/;
/** The characters of a part of a name that a rule of `names:` reaches. */
const PART = /^[\p{L}\p{N}_-]+$/u;
const LAST_PART = /^[\p{L}\p{N}_-]*\*?$/u;

export interface MappedSource {
  readonly name: string;
  readonly uuid: string;
}

/** The sources that endpoints were mapped to and quern does not know, each once, by name. */
export function unknownSources(
  mappings: readonly Readonly<Record<string, string>>[],
  isKnown: (name: string) => boolean,
): readonly MappedSource[] {
  const sources = new Map<string, MappedSource>();
  for (const mapping of mappings)
    for (const [name, uuid] of Object.entries(mapping))
      if (!isKnown(name) && !sources.has(name.toLowerCase())) sources.set(name.toLowerCase(), { name, uuid });
  return [...sources.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface ProposalOptions {
  /** Tables of a server: a dataset is a database of its own. In the embedded store tables of the user's own have one name. */
  readonly server: boolean;
  /** True if a table of the user's own cannot have the name. */
  isReserved(name: string): boolean;
  /** True if there is such a table of the user's own. */
  exists(name: string): boolean;
  /** True if there are tables whose names begin so. */
  begins(prefix: string): boolean;
  /** Names that are read as well, and need no rule. */
  readonly resolved: readonly string[];
  /** True if a rule of quern.yaml leads the name somewhere. */
  isRuled(name: string): boolean;
}

export interface Proposal {
  /** Pattern → what it becomes, as `names:` has it. */
  readonly names: Readonly<Record<string, string>>;
  /** Name → table. */
  readonly sources: Readonly<Record<string, string>>;
  /** Name → what the table is called here, as far as it is known. */
  readonly becomes: Readonly<Record<string, string>>;
  /** Wildcards that one table has to stand for. */
  readonly wildcards: readonly string[];
}

/** Rules for `project.dataset.table` and `dataset.table`, a source for each other name. */
export function proposeNames(tables: readonly string[], options: ProposalOptions): Proposal {
  const { server, begins, isRuled } = options;
  const open = tables.filter((name) => !isRuled(name));
  const dotted = open.map((name) => name.split('.')).filter(isRulable);
  const isOneTable = (last: string): boolean => last.endsWith('*') && !begins(last.slice(0, -1));
  const wildcards = server ? [] : dotted.filter((parts) => isOneTable(parts.at(-1) ?? '')).map((parts) => parts.join('.'));
  const ruled = dotted.filter((parts) => !wildcards.includes(parts.join('.')));
  const rules = rulesFor(ruled, options);
  const single = open.filter((name) => !name.includes('.') && SOURCE_NAME.test(name));
  const becomes = [
    ...ruled.map((parts) => [parts.join('.'), applied(parts, rules)] as const),
    ...single.map((name) => [name, name] as const),
  ];
  return {
    names: Object.fromEntries(rules.map(({ pattern, target }) => [pattern.join('.'), target])),
    // A table of the embedded store is a source by its own name.
    sources: server ? Object.fromEntries(single.map((name) => [name, name])) : {},
    becomes: Object.fromEntries(becomes.filter(([, target]) => target !== '')),
    wildcards,
  };
}

const isRulable = (parts: readonly string[]): boolean =>
  (parts.length === 2 || parts.length === 3) &&
  parts.every((part, i) => (i === parts.length - 1 ? LAST_PART.test(part) && part !== '' : PART.test(part))) &&
  !parts.some((part) => part.toLowerCase() === 'information_schema');

interface Rule {
  readonly pattern: readonly string[];
  readonly target: string;
}

/**
 * The target under which no two of the tables become one, nor a source that is none of the user's tables: of several that under which most of the tables are there
 * already, and else the shortest.
 */
function rulesFor(
  tables: readonly (readonly string[])[],
  { server, isReserved, exists, resolved }: Pick<ProposalOptions, 'server' | 'isReserved' | 'exists' | 'resolved'>,
): readonly Rule[] {
  const targets = server ? ['{d}.{t}', '{p}_{d}.{t}'] : ['{t}', '{d}_{t}', '{p}_{d}_{t}'];
  const attempts = targets.map((target) => rulesOf(tables, target));
  const safe = attempts.filter((rules) => isSafe(tables, rules, isReserved));
  const thereOf = (rules: readonly Rule[]): number => tables.filter((parts) => exists(applied(parts, rules))).length;
  const [best] = safe.map((rules) => ({ rules, there: thereOf(rules) })).sort((a, b) => b.there - a.there);
  return (best?.rules ?? attempts.at(-1) ?? []).flatMap((rule) => withoutResolved(rule, tables, resolved));
}

/** Returns the rule, or narrower ones in its place that take no name along which needs none. */
function withoutResolved(rule: Rule, tables: readonly (readonly string[])[], resolved: readonly string[]): readonly Rule[] {
  const { pattern, target } = rule;
  if (!resolved.some((name) => fits(name.split('.'), rule))) return [rule];
  const own = tables.filter((parts) => fits(parts, rule));
  const isOfDataset = pattern.slice(0, -1).every((part) => part !== '*');
  const narrower = own.map((parts) => (isOfDataset ? parts : [...parts.slice(0, -1), '*']));
  const different = new Map(narrower.map((parts) => [parts.join('.').toLowerCase(), { pattern: parts, target }]));
  return [...different.values()].flatMap((one) => (isOfDataset ? [one] : withoutResolved(one, own, resolved)));
}

/** A rule for each project, or, where the dataset is left out of the table's name, for each dataset. */
function rulesOf(tables: readonly (readonly string[])[], target: string): readonly Rule[] {
  const patterns = tables.map((parts) => {
    const whole = target.includes('{d}') && parts.length === 3;
    return [...parts.slice(0, whole ? -2 : -1), ...(whole ? ['*', '*'] : ['*'])];
  });
  const different = new Map(patterns.map((pattern) => [pattern.join('.').toLowerCase(), pattern]));
  return [...different.values()].map((pattern) => {
    const last = pattern.length;
    const numbered = target
      .replace('{p}', pattern.length === 3 ? '{1}' : '')
      .replace('{d}', `{${last - 1}}`)
      .replace('{t}', `{${last}}`);
    return { pattern, target: numbered.replace(/^_/, '') };
  });
}

function isSafe(tables: readonly (readonly string[])[], rules: readonly Rule[], isReserved: (name: string) => boolean): boolean {
  const made = tables.map((parts) => applied(parts, rules).toLowerCase());
  return new Set(made).size === new Set(tables.map((parts) => parts.join('.').toLowerCase())).size && !made.some(isReserved);
}

function applied(parts: readonly string[], rules: readonly Rule[]): string {
  const rule = rules.find((one) => fits(parts, one));
  return rule?.target.replace(/\{(\d)\}/g, (_, number: string) => parts[Number(number) - 1] ?? '') ?? '';
}

const fits = (parts: readonly string[], { pattern }: Rule): boolean =>
  pattern.length === parts.length && pattern.every((part, i) => part === '*' || part.toLowerCase() === parts[i]?.toLowerCase());

/** The sections for quern.yaml, some to be completed; undefined when nothing is missing. */
export function sectionsText(
  mapped: readonly MappedSource[],
  { names, sources, wildcards }: Omit<Proposal, 'becomes'>,
): string | undefined {
  const nameable = mapped.filter(({ name }) => SOURCE_NAME.test(name));
  const rules = Object.entries(names).map(([pattern, target]) => `  ${JSON.stringify(pattern)}: ${JSON.stringify(target)}\n`);
  const entries = [
    ...Object.entries(sources).map(([name, table]) => `  ${JSON.stringify(name)}:\n    table: ${JSON.stringify(table)}\n`),
    ...wildcards.map((name) => `  ${JSON.stringify(name)}:\n    table: TABLE\n    suffix: COLUMN\n`),
    ...nameable.map(
      ({ name, uuid }) => `  ${JSON.stringify(name)}:\n    table: DATABASE.TABLE\n    rows: { source_uuid: ${JSON.stringify(uuid)} }\n`,
    ),
  ];
  if (rules.length === 0 && entries.length === 0) return undefined;
  const toComplete = [...(nameable.length > 0 ? ['DATABASE.TABLE'] : []), ...(wildcards.length > 0 ? ['TABLE'] : [])];
  const head = [
    `# For quern.yaml${toComplete.length > 0 ? `, with your tables in place of ${toComplete.join(' and ')}` : ''}`,
    ...(wildcards.length > 0 ? ['with the column that has the day in place of COLUMN'] : []),
    ...(nameable.length > 0 ? ['and without rows where a table has no column source_uuid'] : []),
  ];
  return [
    `${head.join(',\n# ')}:\n`,
    ...(rules.length === 0 ? [] : [`names:\n${rules.join('')}`]),
    ...(entries.length === 0 ? [] : [`sources:\n${entries.join('')}`]),
  ].join('');
}
