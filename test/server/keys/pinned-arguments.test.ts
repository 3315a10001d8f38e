// Parameters that a key sets: whatever the caller sends, the key's value is what runs.
import { expect, test } from 'vitest';
import { readArguments } from '../../../src/queries/parameters.ts';
import type { ParameterDeclaration } from '../../../src/queries/saved-query.ts';
import { pinnedArguments, unknownPins } from '../../../src/server/keys/pinned-arguments.ts';
import { failure } from '../../support/told.ts';

const parameter = (name: string): ParameterDeclaration => ({ name, type: 'string', array: false, required: false });
const query = { name: 'logs.mine', parameters: [parameter('project_ref'), parameter('tier')] };
const key = { pins: { project_ref: 'abc' } };

/** What the engine would get. */
const values = (given: Readonly<Record<string, unknown>>) =>
  readArguments(query.parameters, pinnedArguments(key, query, given), query.name, { unknown: 'ignore' });

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['nothing', {}],
  ['the same value', { project_ref: 'abc' }],
  ['the same value in a list', { project_ref: ['abc'] }],
  ['the same value in another spelling of the name', { 'Project-Ref': 'abc' }],
  ['the same value in two spellings', { 'project-ref': 'abc', project_ref: 'abc' }],
  ['null', { project_ref: null }],
  ['the empty text', { project_ref: '' }],
])('a caller who gives %s gets the value of the key', (_, given) => {
  expect(values(given)).toEqual({ project_ref: 'abc', tier: null });
});

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['another value', { project_ref: 'other' }],
  ['another case', { project_ref: 'ABC' }],
  ['white space', { project_ref: 'abc ' }],
  ['a pattern', { project_ref: '.*' }],
  ['several values', { project_ref: ['abc', 'other'] }],
  ['an empty list', { project_ref: [] }],
  ['an object', { project_ref: { toString: 'abc' } }],
  ['an object in a list', { project_ref: [{ valueOf: 1 }] }],
])('a caller who gives %s is refused', (_, given) => {
  expect(failure(() => values(given))).toEqual({
    code: 'parameter',
    message: 'the API key does not allow these arguments of logs.mine',
    hint: 'leave out what the key sets, or use another key',
    problems: ['pinned | project_ref | is set by the API key to another value'],
  });
});

test('another value under another spelling of the name is refused, also beside the right one', () => {
  for (const name of ['PROJECT_REF', 'project-ref', 'Project-REF']) {
    expect(failure(() => values({ [name]: 'other' }))['problems']).toEqual([`pinned | ${name} | is set by the API key to another value`]);
    expect(failure(() => values({ project_ref: 'abc', [name]: 'other' }))['problems']).toEqual([
      `pinned | ${name} | is set by the API key to another value`,
    ]);
  }
});

test('arguments that the key does not set are the caller’s', () => {
  expect(values({ tier: 'PRO', unknown: 'x' })).toEqual({ project_ref: 'abc', tier: 'PRO' });
});

test('a key without pins changes nothing', () => {
  const given = { anything: [1] };
  expect(pinnedArguments({ pins: {} }, query, given)).toBe(given);
});

test('a saved query without the parameter is refused to the key: its rows would not be bound to the value', () => {
  const other = { name: 'usage.total', parameters: [parameter('interval')] };
  expect(failure(() => pinnedArguments(key, other, { interval: '1d' }))).toEqual({
    code: 'parameter',
    message: 'the API key does not allow these arguments of usage.total',
    hint: 'leave out what the key sets, or use another key',
    problems: ['pinned | project_ref | is set by the API key, but usage.total has no such parameter'],
  });
  expect(unknownPins({ pins: { project_ref: 'abc', Tier: 'PRO' } }, query)).toEqual([]);
  expect(unknownPins({ pins: { project_ref: 'abc', Tier: 'PRO' } }, other)).toEqual(['project_ref', 'Tier']);
});
