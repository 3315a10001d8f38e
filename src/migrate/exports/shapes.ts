// The shapes that exports of queries have: what `bq`, BigQuery's API, its INFORMATION_SCHEMA and others print.

import { readParameterType } from '../../queries/parameter-type.ts';
import { type Endpoint, type Fields, isFields, query, readEndpoint, text, type Unreadable } from '../endpoint.ts';
import type { FoundParameter } from '../find-parameters.ts';

/** A query that ran: many of a history are one text. */
export interface Job {
  readonly kind: 'job';
  readonly sql: string;
  readonly given: readonly FoundParameter[];
}

/** Something of the history that is no query to keep. */
interface OtherJob {
  readonly kind: 'other job';
  readonly what: string;
}

export type Read = Endpoint | Unreadable | Job | OtherJob;

interface Shape {
  fits(fields: Fields): boolean;
  read(fields: Fields, fallback: string): Read;
}

const LEGACY = 'it is legacy SQL: rewrite it in GoogleSQL';

const inside = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((at: unknown, key) => (isFields(at) ? at[key] : undefined), value);
const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** A transfer of the data transfer service: `bq ls --transfer_config`, `bq show --transfer_config`. */
const scheduled: Shape = {
  fits: (fields) => text(fields['dataSourceId']) !== undefined || (isFields(fields['params']) && 'schedule' in fields),
  read(fields, fallback) {
    const name = text(fields['displayName']) ?? fallback;
    const source = text(fields['dataSourceId']) ?? 'scheduled_query';
    const sql = text(inside(fields, 'params', 'query'));
    if (source !== 'scheduled_query') return { kind: 'unreadable', name, reason: `it is a transfer from ${source}, not a query` };
    if (sql === undefined) return { kind: 'unreadable', name, reason: 'it has no query' };
    const schedule = text(fields['schedule']);
    const [dataset, table] = [text(fields['destinationDatasetId']), text(inside(fields, 'params', 'destination_table_name_template'))];
    const target = [dataset, table].flatMap((part) => part ?? []).join('.');
    const writes = text(inside(fields, 'params', 'write_disposition'));
    return query(name, sql, {
      // Its runs have these two, https://cloud.google.com/bigquery/docs/scheduling-queries#available_parameters.
      given: [
        { name: 'run_time', type: 'timestamp', required: true },
        { name: 'run_date', type: 'date', required: true },
      ],
      remarks: [
        ...(schedule === undefined ? [] : [['it ran', schedule] as const]),
        ...(table === undefined ? [] : [['its rows went to', writes === undefined ? target : `${target} (${writes})`] as const]),
      ],
      notes: [
        ...(isTrue(fields['disabled']) ? ['its schedule was disabled'] : []),
        ...(table === undefined ? [] : [`its rows went to ${target}: \`quern run … --output FILE\` from a timer writes a file`]),
      ],
    });
  },
};

/** A job as `bq ls -j`, `bq show -j` and jobs.get give it. */
const job: Shape = {
  fits: (fields) => isFields(fields['configuration']) || 'jobReference' in fields,
  read(fields) {
    const sql = text(inside(fields, 'configuration', 'query', 'query'));
    const statement = text(inside(fields, 'statistics', 'query', 'statementType'));
    const type = text(inside(fields, 'configuration', 'jobType'));
    if (sql === undefined) return { kind: 'other job', what: type === undefined || type === 'QUERY' ? 'without their SQL' : type };
    if (isFields(inside(fields, 'status', 'errorResult'))) return { kind: 'other job', what: 'that failed' };
    if (isTrue(inside(fields, 'configuration', 'query', 'useLegacySql'))) return { kind: 'other job', what: 'of legacy SQL' };
    if (statement !== undefined && !isQuery(statement)) return { kind: 'other job', what: statement };
    return { kind: 'job', sql, given: parametersOf(inside(fields, 'configuration', 'query', 'queryParameters')) };
  },
};

/** A row of INFORMATION_SCHEMA.JOBS and its kin. */
const history: Shape = {
  fits: (fields) => 'job_id' in fields || 'statement_type' in fields || 'job_type' in fields,
  read(fields) {
    const sql = text(fields['query']);
    const [type, statement] = [text(fields['job_type']), text(fields['statement_type'])];
    if (sql === undefined) return { kind: 'other job', what: type === undefined || type === 'QUERY' ? 'without their SQL' : type };
    if (isFields(fields['error_result'])) return { kind: 'other job', what: 'that failed' };
    if (text(fields['parent_job_id']) !== undefined) return { kind: 'other job', what: 'that are steps of scripts' };
    if (statement !== undefined && !isQuery(statement)) return { kind: 'other job', what: statement };
    return { kind: 'job', sql, given: [] };
  },
};

const isQuery = (statement: string): boolean => ['SELECT', 'SCRIPT', 'CREATE_TABLE_AS_SELECT', 'CREATE_VIEW'].includes(statement);

/** The output of `bq show` about a view, and of lists of tables. */
const table: Shape = {
  fits: (fields) => isFields(fields['tableReference']) || isFields(fields['view']) || isFields(fields['materializedView']),
  read(fields, fallback) {
    const part = (key: string): string | undefined => text(inside(fields, 'tableReference', key));
    const path = [part('projectId'), part('datasetId'), part('tableId')].flatMap((one) => one ?? []);
    const name = part('tableId') ?? fallback;
    const view = fields['view'] ?? fields['materializedView'];
    const sql = text(inside(view, 'query'));
    const full = path.length === 3 ? `${path[0]}:${path[1]}.${path[2]}` : name;
    if (!isFields(view)) return { kind: 'unreadable', name, reason: 'it is a table, not a query' };
    if (sql === undefined)
      return {
        kind: 'unreadable',
        name,
        reason: `a list of tables does not contain the SQL of views`,
        hint: `bq show --format=prettyjson ${full}`,
      };
    if (isTrue(inside(view, 'useLegacySql'))) return { kind: 'unreadable', name, reason: LEGACY };
    return query(name, sql, {
      ...describedBy(fields['description']),
      ...(path.length === 3 ? { relation: path.join('.') } : {}),
    });
  },
};

/** A row of INFORMATION_SCHEMA.VIEWS. */
const view: Shape = {
  fits: (fields) => 'view_definition' in fields,
  read(fields, fallback) {
    const [catalog, schema, name] = [text(fields['table_catalog']), text(fields['table_schema']), text(fields['table_name'])];
    const sql = text(fields['view_definition']);
    if (sql === undefined) return { kind: 'unreadable', name: name ?? fallback, reason: 'it has no query' };
    if (text(fields['use_standard_sql']) === 'NO') return { kind: 'unreadable', name: name ?? fallback, reason: LEGACY };
    const path = [catalog, schema, name].flatMap((part) => part ?? []);
    return query(name ?? fallback, sql, path.length === 3 ? { relation: path.join('.') } : {});
  },
};

/** An endpoint of Logflare, or whatever has a name and SQL. */
const named: Shape = {
  fits: () => true,
  read(fields, fallback) {
    const name = fields['name'] ?? fields['displayName'] ?? fields['display_name'] ?? fields['title'];
    const sql = fields['query'] ?? fields['sql'] ?? fields['query_text'];
    return readEndpoint({ ...fields, name, query: sql }, fallback);
  },
};

/** The first that fits says what it is. */
const SHAPES: readonly Shape[] = [scheduled, job, history, table, view, named];

export function readRecord(value: unknown, fallback: string): Read {
  if (!isFields(value)) return readEndpoint(value, fallback);
  return (SHAPES.find(({ fits }) => fits(value)) ?? named).read(value, fallback);
}

/** True if a reader would recognize it as a query. */
export const isRecordOfQuery = (value: unknown): boolean =>
  isFields(value) && [scheduled, job, history, table, view].some(({ fits }) => fits(value));

const describedBy = (value: unknown): Pick<Endpoint, 'description'> => {
  const description = text(value);
  return description === undefined ? {} : { description };
};

/** `queryParameters` of a job's configuration. */
function parametersOf(value: unknown): readonly FoundParameter[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const name = text(inside(one, 'name'));
    const known = readParameterType(String(inside(one, 'parameterType', 'type')));
    return name === undefined || known === undefined ? [] : [{ name, type: known.type }];
  });
}
