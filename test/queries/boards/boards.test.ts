// The boards of a project: what a file says, and what is said of one that is wrong.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorBody } from '../../../src/output/error-body.ts';
import { readBoards } from '../../../src/queries/boards/boards.ts';
import { openCatalog } from '../../../src/queries/catalog.ts';
import { folderOf, queryText, uuid } from '../support.ts';

const HITS = queryText(
  1,
  'select @area as area, @most as most',
  'params: { area: { type: string, required: true }, most: { type: integer } }',
);
const queries = () => openCatalog([folderOf({ 'web.hits.sql': HITS, 'total.sql': queryText(2, 'select 1 as n') })]);

const WHOLE = `title: Traffic
description: What comes in
range: { from: -24h, to: now }
panels:
  - query: web.hits
    title: Hits of rest
    params: { area: rest, most: 5 }
    show: chart
    width: whole
  - query: ${uuid(2)}
`;
const boards = (files: Readonly<Record<string, string>>) => readBoards(folderOf(files), queries());
const problems = (text: string) => {
  const [broken] = boards({ 'traffic.yaml': text }).broken;
  const { position, message, hint, problems: all } = errorBody(broken?.error as never).error;
  return [
    `${position?.line}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
    ...(all ?? []).map((one) => `${one.kind}: ${one.name} ${one.message}`),
  ];
};

test('a board has a title, a range of time, and panels of saved queries', () => {
  const { boards: found, broken } = boards({ 'traffic.yaml': WHOLE, 'empty.yml': 'title: None\npanels: []\n', 'notes.txt': 'x' });
  expect(broken.map(({ name }) => name)).toEqual(['empty']);
  expect(found).toEqual([
    {
      name: 'traffic',
      title: 'Traffic',
      description: 'What comes in',
      range: { from: '-24h', to: 'now' },
      panels: [
        { query: 'web.hits', title: 'Hits of rest', params: { area: 'rest', most: 5 }, show: 'chart', width: 'whole' },
        { query: 'total', params: {} },
      ],
    },
  ]);
});

test('a project without boards has none', () => {
  expect(readBoards(join(folderOf({}), 'boards'), queries())).toEqual({ boards: [], broken: [] });
});

test.each([
  ['panels: [{ query: total }]\n', ['1: traffic.yaml: title is missing']],
  ['title: T\n', ['1: traffic.yaml: panels is missing']],
  ['title: T\npanels:\n  - query: totl\n', ['3: traffic.yaml: panels[0].query: there is no saved query named totl (did you mean total?']],
  ['title: T\npanels:\n  - query: web.hits\n    params: { arae: rest, most: x }\n', ['4: traffic.yaml: panels[0].params do not fit: most']],
  [
    'title: T\nrange: { from: yesterday }\npanels: [{ query: total }]\n',
    ['2: traffic.yaml: range.from: "yesterday" is not a time such as -24h, now or 2026-01-02T03:04:05Z'],
  ],
  ['title: T\npanels:\n  - query: total\n    show: pie\n', ['4: traffic.yaml: panels[0].show: "pie" is not one of: chart, table, number']],
  ['title: T\npanels:\n  - quary: total\n', ['3: traffic.yaml: panels[0].quary is not a field of a panel (did you mean query?)']],
  ['title: T\npannels: []\n', ['2: traffic.yaml: pannels is not a field of a board (did you mean panels?)']],
  ['title: [', ['1: traffic.yaml is not YAML']],
])('%j has its mistakes told with their lines', (text, told) => {
  expect(problems(text).map((line, i) => line.slice(0, told[i]?.length))).toEqual(told);
});
