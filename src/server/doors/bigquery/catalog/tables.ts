// The methods of tables, and of their rows.
import type { ListedTable } from '../../../../sources/information-schema/list-tables.ts';
import { json, type PlainReply } from '../../../http/reply.ts';
import { isShown, tablesFor } from '../../../routes/caller-names.ts';
import type { DoorRoute, Question, RouteParts } from '../../../routes/route.ts';
import { getAnonymousTable, listAnonymousTable } from '../anonymous-table.ts';
import { schemaOf } from '../cells.ts';
import { invalid, notFound } from '../errors.ts';
import type { Jobs } from '../jobs.ts';
import { pageReply, readRowsWanted } from '../results.ts';
import { NEVER, runJob } from '../run-job.ts';
import { listPage } from './list-page.ts';
import { type CatalogServer, datasetsFor, named } from './listed.ts';
import { LOCATION, placeIn } from './projects.ts';
import { selectedFields } from './selected-fields.ts';

const TABLES = '/projects/:projectId/datasets/:datasetId/tables';

/** `jobsOf`: the jobs of a server, whose rows are anonymous tables. */
export const tableRoutes = (jobsOf: (server: RouteParts) => Jobs): readonly DoorRoute[] => [
  { name: 'bigquery.tables.list', method: 'GET', path: TABLES, open: (server) => (question) => list(server, question) },
  {
    name: 'bigquery.tables.get',
    method: 'GET',
    path: `${TABLES}/:tableId`,
    open: (server) => async (question) => (await getAnonymousTable(jobsOf(server), question)) ?? get(server, question),
  },
  {
    name: 'bigquery.tabledata.list',
    method: 'GET',
    path: `${TABLES}/:tableId/data`,
    open: (server) => async (question) => (await listAnonymousTable(jobsOf(server), server, question)) ?? rows(server, question),
  },
];

async function list(server: CatalogServer, question: Question): Promise<PlainReply> {
  const { projectId, datasetId } = placeIn(question);
  const all = (await tablesFor(server, question.caller, { project: projectId, dataset: datasetId, namesOnly: true })).filter(isShown);
  if (all.length === 0 && named(await datasetsFor(server, question.caller, projectId), datasetId, (name) => name) === undefined)
    throw notFound('Dataset', `${projectId}:${datasetId}`);
  const { items, ...rest } = listPage(all, question);
  return json({
    kind: 'bigquery#tableList',
    etag: `${datasetId} ${all.length}`,
    ...rest,
    tables: items.map((table) => ({ kind: 'bigquery#table', ...tableOf(projectId, datasetId, table) })),
    totalItems: all.length,
  });
}

async function get(server: CatalogServer, question: Question): Promise<PlainReply> {
  const { projectId, datasetId } = placeIn(question);
  const table = await findTable(server, question);
  const { description, query, size } = table;
  return json({
    kind: 'bigquery#table',
    etag: `${datasetId}.${table.table} ${size?.changed ?? 0}`,
    selfLink: `/bigquery/v2/projects/${projectId}/datasets/${datasetId}/tables/${table.table}`,
    ...tableOf(projectId, datasetId, table),
    ...(description === undefined || description === '' ? {} : { description }),
    schema: { fields: selectedFields(schemaOf(table.columns).fields, question.request.query) },
    ...(query === undefined ? {} : { view: { query, useLegacySql: false } }),
    ...(size?.rows === undefined ? {} : { numRows: String(size.rows) }),
    ...(size?.bytes === undefined ? {} : { numBytes: String(size.bytes), numLongTermBytes: '0' }),
    lastModifiedTime: millis(table),
    location: LOCATION,
  });
}

/** Throws what `notFound` makes. */
async function findTable(server: CatalogServer, question: Question): Promise<ListedTable> {
  const { projectId, datasetId, tableId } = placeIn(question);
  const tables = await tablesFor(server, question.caller, { project: projectId, dataset: datasetId, table: tableId });
  const table = named(tables, tableId, (one) => one.table);
  if (table === undefined) throw notFound('Table', `${projectId}:${datasetId}.${tableId}`);
  return table;
}

const millis = ({ size }: ListedTable): string => String((size?.changed ?? 0) * 1000);

function tableOf(projectId: string, datasetId: string, listed: ListedTable) {
  const { table: tableId, query } = listed;
  return {
    id: `${projectId}:${datasetId}.${tableId}`,
    tableReference: { projectId, datasetId, tableId },
    type: query === undefined ? 'TABLE' : 'VIEW',
    ...(query === undefined ? {} : { view: { useLegacySql: false } }),
    creationTime: millis(listed),
  };
}

/** Tables with more rows are read by queries; of such a table there is one page, whose rows are any. */
const MOST_PAGED = 2_000_000;

async function rows(server: RouteParts, question: Question): Promise<PlainReply> {
  const { projectId, datasetId } = placeIn(question);
  const { maxResults, startIndex, pageToken } = question.request.query as Readonly<Record<string, string | undefined>>;
  const table = await findTable(server, question);
  const columns = selectedFields(table.columns, question.request.query).map(({ name }) => quoted(name));
  if (columns.length === 0) throw invalid(`Invalid value for selectedFields: ${table.table} has no such field`, 'selectedFields');
  const sql = `SELECT ${columns.join(', ')} FROM ${quoted(`${projectId}.${datasetId}.${table.table}`)}`;
  const head = { kind: 'bigquery#tableDataList', etag: `${datasetId}.${table.table}` };
  const total = table.size?.rows ?? 0;
  if (total <= MOST_PAGED) return readRows(server, question, { projectId, sql, head });
  const end = Number(startIndex ?? 0) + Number(maxResults ?? Number.NaN);
  if (pageToken === TOO_LARGE || !Number.isSafeInteger(end))
    throw invalid(
      `${table.table} has ${total} rows, and pages of a table are those of ${MOST_PAGED} rows at most; read it with a query, or say maxResults`,
      'pageToken',
    );
  const more = end < total ? { pageToken: TOO_LARGE } : {};
  return readRows(server, question, { projectId, sql: `${sql} LIMIT ${end}`, head: { ...head, totalRows: String(total), ...more } });
}

interface WantedRows {
  readonly projectId: string;
  readonly sql: string;
  /** The fields of the reply beside its rows; `totalRows` of the result goes before that here. */
  readonly head: Readonly<Record<string, unknown>>;
}

/** Runs a query as jobs are run, and returns the page that the request wants of its rows. */
async function readRows(server: RouteParts, { request, caller }: Question, { projectId, sql, head }: WantedRows): Promise<PlainReply> {
  const wanted = { projectId, sql, parameters: [], useQueryCache: true };
  const { result } = await runJob(server, wanted, { caller, requestId: request.id, signal: NEVER });
  const page = readRowsWanted(request.query as Readonly<Record<string, unknown>>); // as Fastify reads addresses
  return pageReply(server.paged, result, page, { totalRows: String(result.rows), ...head });
}

/** The token of a page that there is not. */
const TOO_LARGE = 'use-a-query';

const quoted = (name: string): string => `\`${name.replace(/[\\`]/g, '\\$&')}\``;
