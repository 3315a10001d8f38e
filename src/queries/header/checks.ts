// Lists of checks: the `checks:` field of a header, and the same field of a file of checks.
import { nearest } from '../../base/errors.ts';
import { DRAFT, type JsonSchema } from '../../base/json-schema.ts';
import { type Field, mapping, readLater } from '../../fields/field.ts';
import { isMapping, type ValueAt } from '../../fields/value-at.ts';
import type { AssertionDefinition, CheckDefinition, Inherited } from '../check-definition.ts';
import { ASSERTION_SCHEMAS, INHERITED, readAssertion } from './assertions.ts';
import { PARAMS, QUERY } from './query-with-params.ts';

/** The names that other tools have for the fields. */
const MEANT: Readonly<Record<string, string>> = {
  args: 'params',
  arguments: 'params',
  parameters: 'params',
  assert: 'assertions',
  asserts: 'assertions',
  checks: 'assertions',
  expect: 'assertions',
  tests: 'assertions',
  filter: 'where',
};

const { where, severity, tags } = INHERITED;
const GROUP_FIELDS = {
  params: PARAMS,
  where,
  assertions: readLater({ type: 'array', items: { anyOf: ASSERTION_SCHEMAS }, minItems: 1 }),
  severity,
  tags,
};
const GROUP = mapping('a group of assertions', GROUP_FIELDS, {
  required: ['assertions'],
  usage: 'add `assertions:` with a list',
  meant: MEANT,
});

const CHECK = mapping(
  'a check',
  { query: QUERY, ...GROUP_FIELDS },
  { required: ['assertions'], usage: 'add `assertions:` with a list', meant: MEANT },
);

/**
 * The checks in a header: assertions that need no arguments stand in the list as they are, others in a group with `params`.
 * Checks that do not fit are reported and left out.
 */
export const CHECKS: Field<readonly CheckDefinition[]> = {
  schema: {
    type: 'array',
    description: 'what its rows must satisfy: assertions, or groups of assertions with arguments',
    items: { anyOf: [...ASSERTION_SCHEMAS, GROUP.schema] },
  },
  read(list) {
    if (!Array.isArray(list.value)) return list.problem('must be a list');
    const isGroup = (element: ValueAt): boolean => element.has('assertions') || element.has('params');
    const alone = list.items.filter((element) => !isGroup(element)).flatMap((element) => readAssertion(element, PLAIN) ?? []);
    const groups = list.items.filter(isGroup).map((element) => groupOf(GROUP.read(element) ?? {}, element));
    const [first] = alone;
    return first === undefined ? groups : [{ params: {}, assertions: alone, place: first.place }, ...groups];
  },
};
const PLAIN: Inherited = { severity: 'error', tags: [], where: [] };

const FILE_CHECKS: Field<readonly CheckDefinition[]> = {
  schema: {
    type: 'array',
    description: 'saved queries, with what their rows must satisfy',
    items: { ...CHECK.schema, required: ['query', 'assertions'] },
  },
  read(list) {
    if (!Array.isArray(list.value)) return list.problem('must be a list');
    return list.items.flatMap((element): readonly CheckDefinition[] => {
      if (!isMapping(element.value))
        return element.problem('must contain a query and its assertions', 'write `query: NAME` and, below it, `assertions:`') ?? [];
      if (!element.has('query')) element.problem('does not name a saved query', 'add `query: NAME`');
      const { query: reference, ...group } = CHECK.read(element) ?? {};
      const query = reference === undefined ? {} : { query: { reference, place: element.at('query').place } };
      return [{ ...groupOf(group, element), ...query }];
    });
  },
};

const CHECK_FILE = mapping('a check file', { checks: FILE_CHECKS });

/** The checks of a file: each names its saved query. */
export function readFileChecks(file: ValueAt): readonly CheckDefinition[] {
  const isMisspelt = file.names.some((name) => nearest(name, CHECK_FILE.names) !== undefined);
  if (!isMisspelt) file.at('checks').problem('is missing', 'start the file with `checks:` and a list of queries with assertions');
  return CHECK_FILE.read(file)?.checks ?? [];
}

export const checksSchema = (): JsonSchema => ({ $schema: DRAFT, title: 'quern checks', ...CHECK_FILE.schema, required: ['checks'] });

type Group = Partial<NonNullable<ReturnType<typeof GROUP.read>>>;

function groupOf(
  { params = {}, where, severity = PLAIN.severity, tags = PLAIN.tags, assertions }: Group,
  { place }: ValueAt,
): CheckDefinition {
  const inherited: Inherited = { severity, tags, where: where === undefined ? [] : [where] };
  return { params, assertions: readAssertions(assertions, inherited), place };
}

function readAssertions(list: ValueAt | undefined, inherited: Inherited): readonly AssertionDefinition[] {
  if (list === undefined) return [];
  if (!Array.isArray(list.value)) return list.problem('must be a list') ?? [];
  if (list.items.length === 0) list.problem('is empty');
  return list.items.flatMap((element) => readAssertion(element, inherited) ?? []);
}
