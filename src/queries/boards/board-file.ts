// A file of a board: several saved queries on one page, with one range of time.

import { readTimestamp } from '../../base/instant.ts';
import { DRAFT, type JsonSchema } from '../../base/json-schema.ts';
import type { SourceText } from '../../base/source-text.ts';
import { type Field, field, mapping } from '../../fields/field.ts';
import { oneOf, trimmedText, type ValueKind } from '../../fields/kinds.ts';
import { readSection, type ValueAt } from '../../fields/value-at.ts';
import { readYaml } from '../../fields/yaml.ts';
import { PARAMS, QUERY } from '../header/query-with-params.ts';

const TEXT = trimmedText('text');

const TIME: ValueKind<string> = {
  expected: 'a time such as -24h, now or 2026-01-02T03:04:05Z',
  schema: { type: 'string' },
  read(raw) {
    const text = typeof raw === 'string' ? raw.trim() : '';
    return text === 'now' || /^-\d{1,6}[smhdw]$/.test(text) || readTimestamp(text) !== undefined ? text : undefined;
  },
};

const RANGE = mapping('a range', {
  from: field(TIME, { description: 'where the range begins' }),
  to: field(TIME, { description: 'where it ends' }),
  as_of: field(TIME, { description: 'what counts as now' }),
});

const PANEL = mapping(
  'a panel',
  {
    query: QUERY,
    title: field(TEXT, { description: 'stands above it, in place of the name of the query' }),
    params: PARAMS,
    show: field(oneOf(['chart', 'table', 'number']), { description: 'how its rows are shown; by default as it suits them' }),
    width: field(oneOf(['half', 'whole']), { description: 'how much of a wide page it takes' }),
  },
  { required: ['query'], usage: 'add `query: NAME`', meant: { args: 'params', parameters: 'params', chart: 'show', type: 'show' } },
);

const PANELS: Field<readonly PlacedPanel[]> = {
  schema: { type: 'array', description: 'saved queries, in the order of the page', items: PANEL.schema, minItems: 1 },
  read(list) {
    if (!Array.isArray(list.value)) return list.problem('must be a list', 'write `- query: NAME` below it');
    if (list.items.length === 0) return list.problem('is empty', 'add `- query: NAME`');
    return list.items.flatMap((element) => {
      const panel = PANEL.read(element);
      return panel === undefined ? [] : [{ ...panel, params: panel.params ?? {}, at: element }];
    });
  },
};

const BOARD = mapping(
  'a board',
  {
    title: field(TEXT, { description: 'what the page is called' }),
    description: field(TEXT, { description: 'what it is about' }),
    range: {
      schema: { ...RANGE.schema, description: 'the range of time that it opens with' },
      read: (value: ValueAt) => RANGE.read(value),
    },
    panels: PANELS,
  },
  { meant: { name: 'title', queries: 'panels', charts: 'panels', time: 'range' } },
);

export interface Panel {
  /** Of the saved query. */
  readonly query: string;
  readonly title?: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  readonly show?: 'chart' | 'table' | 'number' | undefined;
  readonly width?: 'half' | 'whole' | undefined;
}

/** A panel, and where it stands in its file. */
type PlacedPanel = Panel & { readonly at: ValueAt };

export interface Board {
  /** That of its file, without the ending. */
  readonly name: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly range: { readonly from?: string | undefined; readonly to?: string | undefined; readonly as_of?: string | undefined };
  readonly panels: readonly Panel[];
}

/** `check` looks at each panel, reports what is wrong with it, and returns it as it is to be shown. Throws QuernError `config` with all that is wrong. */
export function readBoardFile(source: SourceText, name: string, check: (panel: Panel, at: ValueAt) => Panel | undefined): Board {
  const section = readYaml(source.text, source, source.name);
  return readSection(section, { what: source.name, file: source.name }, (file) => {
    const { title = '', description, range = {}, panels = [] } = BOARD.read(file) ?? {};
    for (const field of ['title', 'panels'] as const) if (!file.has(field) && !isMisspelt(file)) file.at(field).problem('is missing');
    return { name, title, description, range, panels: panels.flatMap(({ at, ...panel }) => check(panel, at) ?? []) };
  });
}

/** A name that is wrong is told already. */
const isMisspelt = (file: ValueAt): boolean => file.names.some((name) => !BOARD.names.includes(name));

export const boardSchema = (): JsonSchema => ({ $schema: DRAFT, title: 'quern board', ...BOARD.schema, required: ['title', 'panels'] });
