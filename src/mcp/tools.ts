// The tools of an agent: a tool for each saved query as long as the list stays short, else a tool that finds them and one that runs them.
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { didYouMean, QuernError } from '../base/errors.ts';
import { parameterSchema } from '../queries/parameter-schema.ts';
import { parameterTypeText } from '../queries/parameter-types.ts';
import { typeName } from '../sql/base/types.ts';
import type { OfferedQuery, Toolbox } from './toolbox.ts';

/** An agent reads the list with every question. */
const MOST_BYTES = 16_000;
/** Queries that a search gives. */
const MOST_FOUND = 10;
/** Characters of an answer: what is longer helps no agent, and costs it its memory. */
const MOST_TEXT = 200_000;

type Given = Readonly<Record<string, unknown>>;

interface OpenTool {
  readonly tool: Tool;
  call(given: Given, signal: AbortSignal): Promise<Answered>;
}

interface Answered {
  readonly text: string;
  readonly data?: object;
}

/** The words about a tool, and its arguments. */
interface ToolWords {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly properties: Record<string, object>;
  readonly required?: string[];
}

/** A tool that takes no other arguments than these, and only reads. */
const readingTool = ({ properties, required = [], ...words }: ToolWords, call: OpenTool['call']): OpenTool => ({
  tool: {
    ...words,
    inputSchema: { type: 'object', properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false },
    annotations: READS,
  },
  call,
});

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const AS_OF = { type: 'string', description: 'the time that current_timestamp() returns, such as 2026-01-15T12:00:00Z; by default now' };
const text = (description: string) => ({ type: 'string', description });

/** Names of tools have no dots for some clients. */
const toolName = (query: string): string => `run_${query.replaceAll('.', '_')}`.slice(0, 64);

export async function toolsOf(toolbox: Toolbox): Promise<readonly OpenTool[]> {
  const queries = await toolbox.queries();
  const others = [explainTool(toolbox), ...translateTool(toolbox), ...sqlTool(toolbox), ...sourceTools(toolbox)].map(strict);
  const each = queries.map((query) => queryTool(query, toolbox));
  const names = new Set(each.map(({ tool }) => tool.name));
  const direct = [...each, ...others];
  const fits = names.size === each.length && sizeOf(direct) <= MOST_BYTES;
  return fits ? direct : [...[searchTool(toolbox), runTool(toolbox)].map(strict), ...others];
}

/** The same tool, which refuses arguments that it does not have: whoever mistypes one would take the answer for that to another question. */
const strict = ({ tool, call }: OpenTool): OpenTool => ({
  tool,
  async call(given, signal) {
    refuseOthers('argument', tool.name, given, Object.keys(tool.inputSchema.properties ?? {}));
    return call(given, signal);
  },
});

function refuseOthers(what: string, whose: string, given: Given, names: readonly string[]): void {
  const other = Object.keys(given).find((name) => given[name] !== undefined && !names.includes(name));
  if (other === undefined) return;
  const all = names.length === 0 ? `it has no ${what}s` : `its ${what}s are ${names.join(', ')}`;
  throw new QuernError('usage', `${whose} has no ${what} ${other}`, { hint: didYouMean(other, names) ?? all });
}

const sizeOf = (tools: readonly OpenTool[]): number => Buffer.byteLength(JSON.stringify(tools.map(({ tool }) => tool)));

function queryTool(query: OfferedQuery, toolbox: Toolbox): OpenTool {
  const ownAsOf = query.parameters.some(({ name }) => name === 'as_of') || !toolbox.takesAsOf;
  return readingTool(
    {
      name: toolName(query.name),
      title: query.name,
      description: `${query.description === '' ? `Saved query ${query.name}` : query.description}. At most ${query.maxRows} rows.`,
      properties: { ...propertiesOf(query), ...(ownAsOf ? {} : { as_of: AS_OF }) },
      required: requiredOf(query),
    },
    async ({ as_of: asOf, ...given }, signal) =>
      ownAsOf
        ? rows(toolbox, { query: query.name, given: { as_of: asOf, ...given }, asOf: undefined }, signal)
        : rows(toolbox, { query: query.name, given, asOf }, signal),
  );
}

const propertiesOf = ({ parameters }: OfferedQuery): Record<string, object> =>
  Object.fromEntries(
    parameters.map((parameter) => {
      const { name, description } = parameter;
      return [name, { ...parameterSchema(parameter), ...(description === undefined ? {} : { description }) }];
    }),
  );

const requiredOf = ({ parameters }: OfferedQuery): string[] => parameters.filter((parameter) => parameter.required).map(({ name }) => name);

function searchTool(toolbox: Toolbox): OpenTool {
  return readingTool(
    {
      name: 'search_queries',
      title: 'Find saved queries',
      description: 'Finds saved queries by words in their names, descriptions and parameters, and lists the parameters they take.',
      properties: { words: text('what the query is about; leave it empty to list the first queries') },
    },
    async ({ words = '' }) => {
      const all = await toolbox.queries();
      const wanted = textOf('words', words)
        .toLowerCase()
        .split(/[\s.,_-]+/)
        .filter((word) => word !== '');
      const scored = all.map((query) => ({ query, score: scoreOf(query, wanted) })).filter(({ score }) => wanted.length === 0 || score > 0);
      const found = scored.sort((a, b) => b.score - a.score).slice(0, MOST_FOUND);
      return asJson({
        queries: found.map(({ query }) => ({
          name: query.name,
          description: query.description,
          max_rows: query.maxRows,
          parameters: {
            type: 'object',
            properties: propertiesOf(query),
            ...(requiredOf(query).length === 0 ? {} : { required: requiredOf(query) }),
          },
        })),
        ...(scored.length > found.length ? { more: scored.length - found.length } : {}),
      });
    },
  );
}

/** A word of the name tells more than one of the description. */
function scoreOf({ name, description, parameters }: OfferedQuery, words: readonly string[]): number {
  const [inName, inDescription, inParameters] = [
    name,
    description,
    parameters.map((one) => `${one.name} ${one.description ?? ''}`).join(' '),
  ].map((one) => one.toLowerCase());
  return words.reduce(
    (sum, word) =>
      sum + (inName?.includes(word) ? 4 : 0) + (inDescription?.includes(word) ? 2 : 0) + (inParameters?.includes(word) ? 1 : 0),
    0,
  );
}

function runTool(toolbox: Toolbox): OpenTool {
  return readingTool(
    {
      name: 'run_query',
      title: 'Run a saved query',
      description: 'Returns the rows of a saved query, given its name. Use search_queries to find queries and their parameters.',
      properties: {
        query: text('name of the saved query'),
        parameters: { type: 'object', description: 'values by name' },
        ...(toolbox.takesAsOf ? { as_of: AS_OF } : {}),
      },
      required: ['query'],
    },
    async ({ query, parameters = {}, as_of: asOf }, signal) => {
      if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
        throw new QuernError('usage', 'parameters is not an object', { hint: 'pass values by name: {"project": "demo"}' });
      return rows(toolbox, { query: textOf('query', query), given: parameters as Given, asOf }, signal);
    },
  );
}

function explainTool(toolbox: Toolbox): OpenTool {
  return readingTool(
    {
      name: 'explain_query',
      title: 'Explain a saved query',
      description:
        'Returns the ClickHouse SQL that a saved query becomes, its parameters, and its columns with their types. Nothing is run.',
      properties: { query: text('name of the saved query, such as usage.api-counts') },
      required: ['query'],
    },
    async ({ query }) => {
      const { name, parameters } = await known(toolbox, textOf('query', query));
      const { sql, columns, sources, maxRows } = await toolbox.explain(name);
      return asJson({
        query: name,
        sql,
        parameters: parameters.map((parameter) => ({
          name: parameter.name,
          type: parameterTypeText(parameter),
          required: parameter.required,
        })),
        columns: columns.map((column) => ({ name: column.name, type: typeName(column.type) })),
        sources,
        max_rows: maxRows,
      });
    },
  );
}

function translateTool({ translate }: Toolbox): readonly OpenTool[] {
  if (translate === undefined) return [];
  const words: ToolWords = {
    name: 'translate_sql',
    title: 'Translate BigQuery SQL',
    description:
      'Returns the ClickHouse SQL of a query in the BigQuery dialect and its columns, or what is wrong with it: the place, the reason and what to write instead. Nothing is run.',
    properties: { sql: text('one query') },
    required: ['sql'],
  };
  return [readingTool(words, async ({ sql }) => asJson(await translate(textOf('sql', sql))))];
}

/** Rows of SQL where a call does not say how many. */
const USUAL_ROWS = 100;
const MOST_ROWS = 10_000;

function sqlTool({ query, takesAsOf }: Toolbox): readonly OpenTool[] {
  if (query === undefined) return [];
  const words: ToolWords = {
    name: 'run_sql',
    title: 'Run SQL',
    description:
      'Returns the rows of a SELECT in the BigQuery dialect as JSON; of several, those of the last. It only reads. Use list_sources and describe_source to find tables and columns, and LIMIT, WHERE or aggregates to keep the rows few.',
    properties: {
      sql: text('one query; it may name sources and saved queries in FROM, and no files'),
      max_rows: { type: 'integer', minimum: 1, maximum: MOST_ROWS, default: USUAL_ROWS, description: 'the most rows to return' },
      ...(takesAsOf ? { as_of: AS_OF } : {}),
    },
    required: ['sql'],
  };
  return [
    readingTool(words, async ({ sql, max_rows: maxRows, as_of: asOf }, signal) =>
      bounded(
        await query(textOf('sql', sql), { maxRows: rowsOf(maxRows), asOf: asOf == null ? undefined : textOf('as_of', asOf), signal }),
      ),
    ),
  ];
}

function rowsOf(value: unknown): number {
  if (value === undefined || value === null) return USUAL_ROWS;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_ROWS) return value;
  throw new QuernError('usage', `max_rows is no whole number from 1 to ${MOST_ROWS}`, { hint: `leave it out for ${USUAL_ROWS}` });
}

function sourceTools({ sources }: Toolbox): readonly OpenTool[] {
  if (sources === undefined) return [];
  const list: ToolWords = {
    name: 'list_sources',
    title: 'List tables',
    description: 'Lists the tables that queries can read, with their rows and columns; those of the user come first.',
    properties: {},
  };
  const describeOne: ToolWords = {
    name: 'describe_source',
    title: 'Describe a table',
    description: 'Returns the columns of a table with their GoogleSQL types; fields of records are listed by their paths.',
    properties: { name: text('name of the table') },
    required: ['name'],
  };
  return [
    readingTool(list, async () => asJson({ sources: await sources.list() })),
    readingTool(describeOne, async ({ name }) => {
      const wanted = textOf('name', name);
      const found = await sources.read(wanted);
      if (found !== undefined) return asJson(found);
      throw new QuernError('unknown-source', `${wanted} is not a source`, {
        hint:
          didYouMean(
            wanted,
            (await sources.list()).map((one) => one.name),
          ) ?? 'list them with list_sources',
      });
    }),
  ];
}

const asJson = (data: object): Answered => ({ text: JSON.stringify(data), data });

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new QuernError('usage', `${name} is not text`, {});
}

/** Only what may be run is told of: what else there is, nobody learns here. */
async function known(toolbox: Toolbox, name: string): Promise<OfferedQuery> {
  const all = await toolbox.queries();
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const hint = didYouMean(
    name,
    all.map((one) => one.name),
  );
  throw new QuernError('unknown-query', `there is no saved query named ${name}`, { hint });
}

interface RowsRequest {
  readonly query: string;
  readonly given: Given;
  readonly asOf: unknown;
}

async function rows(toolbox: Toolbox, { query, given, asOf }: RowsRequest, signal: AbortSignal): Promise<Answered> {
  const { parameters } = await known(toolbox, query);
  // A project says all that is wrong at once; an endpoint would take names such as format, too.
  if (!toolbox.takesAsOf)
    refuseOthers(
      'parameter',
      query,
      given,
      parameters.map(({ name }) => name),
    );
  const answer = await toolbox.run(query, given, {
    signal,
    asOf: asOf === undefined || asOf === null ? undefined : textOf('as_of', asOf),
  });
  return bounded(answer);
}

function bounded(answer: string): Answered {
  if (answer.length <= MOST_TEXT) return { text: answer };
  throw new QuernError('result', `the rows are ${answer.length} characters of JSON, but at most ${MOST_TEXT} can be returned`, {
    hint: 'ask for fewer rows: use a shorter time range, another interval, fewer columns, or another query',
  });
}
