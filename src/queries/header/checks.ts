// Reads lists of checks: the `checks:` field of a header, and the same field of a file of checks.
import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { nearest } from '../../base/errors.ts';
import type { SourceText } from '../../base/source-text.ts';
import type { AssertionDefinition, CheckDefinition } from '../check-definition.ts';
import { type Inherited, readAssertion, readSeverity, readTags, readWhere } from './assertions.ts';
import type { FieldReader, Invalid, ListElement } from './fields.ts';

export const GROUP_FIELDS = ['params', 'where', 'assertions', 'severity', 'tags'] as const;
/** What other tools call them. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
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
const PLAIN: Inherited = { severity: 'error', tags: [], where: [] };

/**
 * The checks in a header: assertions that need no arguments stand in the list as they are, others in a group with `params`.
 * What does not fit is left out and noted by the reader.
 */
export function readHeaderChecks(header: FieldReader, source: SourceText): readonly CheckDefinition[] {
  const elements = header.list('checks') ?? [];
  const alone: AssertionDefinition[] = [];
  const groups: CheckDefinition[] = [];
  for (const element of elements) {
    if (element.fields?.has('assertions') === true || element.fields?.has('params') === true) {
      element.fields.refuseOthers(GROUP_FIELDS, 'a group of assertions', OTHER_WORDS);
      groups.push(readGroup(element.fields, element, source));
    } else {
      const assertion = readAssertion(element, source, PLAIN);
      if (assertion !== undefined) alone.push(assertion);
    }
  }
  const [first] = alone;
  return first === undefined ? groups : [{ params: {}, assertions: alone, place: first.place }, ...groups];
}

/** The checks of a file: each names its saved query. */
export function readFileChecks(file: FieldReader, source: SourceText): readonly CheckDefinition[] {
  const isMisspelt = file.names.some((name) => nearest(name, ['checks']) !== undefined);
  if (!isMisspelt) file.problem('checks', 'is missing', 'start the file with `checks:` and a list of queries with assertions');
  return (file.list('checks') ?? []).flatMap((element) => {
    const { fields } = element;
    if (fields === undefined) {
      element.problem('must contain a query and its assertions', 'write `query: NAME` and, below it, `assertions:`');
      return [];
    }
    fields.refuseOthers(['query', ...GROUP_FIELDS], 'a check', OTHER_WORDS);
    const reference = fields.field('query', (value): string | Invalid =>
      typeof value === 'string' && value.trim() !== '' ? value.trim() : { message: `${JSON.stringify(value)} does not name a saved query` },
    );
    if (!fields.has('query')) fields.problem('', 'does not name a saved query', 'add `query: NAME`');
    const group = readGroup(fields, element, source);
    return reference === undefined ? [] : [{ ...group, query: { reference, place: { source, span: fields.spanOf('query') } } }];
  });
}

function readGroup(fields: FieldReader, { span }: ListElement, source: SourceText): CheckDefinition {
  const inherited: Inherited = {
    severity: fields.field('severity', readSeverity) ?? PLAIN.severity,
    tags: fields.field('tags', readTags) ?? PLAIN.tags,
    where: readWhere(fields, source),
  };
  const isMisnamed = fields.names.some((name) => OTHER_WORDS[name] === 'assertions');
  if (!fields.has('assertions') && !isMisnamed) fields.problem('', 'has no assertions', 'add `assertions:` with a list');
  const elements = fields.list('assertions');
  if (elements?.length === 0) fields.problem('assertions', 'is empty');
  const assertions = (elements ?? []).flatMap((element) => readAssertion(element, source, inherited) ?? []);
  return { params: fields.field('params', readParams) ?? {}, assertions, place: { source, span } };
}

type Params = CheckDefinition['params'];

/** Numbers of which YAML would lose digits, such as 007 and long integers, are taken as they are written. */
function readParams(_: unknown, node: Node | null): Params | Invalid {
  const hint = 'write them as { project: demo }';
  if (!isMap(node)) return { message: 'must map names of parameters to arguments', hint };
  const params: [string, unknown][] = [];
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : '';
    const given = isSeq(value) ? value.items.map(scalarOf) : scalarOf(value);
    if (given === undefined || (Array.isArray(given) && given.includes(undefined)))
      return { message: `must have a single value or a list of values for ${name}`, hint };
    params.push([name, given]);
  }
  return Object.fromEntries(params);
}

/** Undefined for what is no single value. */
function scalarOf(node: unknown): unknown {
  if (node === null) return null;
  if (!isScalar(node)) return undefined;
  const { value, source } = node;
  return typeof value === 'number' && source !== undefined && source !== String(value) ? source : value;
}
