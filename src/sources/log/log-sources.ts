// The log sources quern knows without being told: their declared metadata fields, and the older names they answer to.
import { arrayOf, BOOL, FLOAT64, INT64, recordOf, type ScalarType, STRING, type Type } from '../../sql/base/types.ts';

/** A declared field that holds one value: its GoogleSQL type, and the ClickHouse type of its path in the JSON column. */
export interface LeafField {
  readonly type: ScalarType;
  readonly clickhouseType: string;
}

/** The metadata field that names an event's project in the sources that declare it; their column `project` equals it wherever it is there. */
export const PROJECT_REFERENCE = 'project_ref';

/** The columns that every log source has beside metadata, and their types in the store. */
const EVENT_COLUMNS = {
  id: 'String',
  timestamp: "DateTime64(6, 'UTC')",
  project: 'LowCardinality(String)',
  event_message: 'String',
};

/** Declared fields of a record by name; an object is a nested record. */
export interface RecordFields {
  readonly [name: string]: LeafField | RecordFields;
}

export interface LogSource {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  /** Text columns beside those that every log source has; NULL where a table mapped to the source lacks them. Lower case. */
  readonly columns: readonly string[];
  readonly metadata: RecordFields;
  /** A STRING path of `metadata` that is often searched by pattern: it gets an n-gram index. */
  readonly searchedPath?: string;
}

// Every path is Nullable, so that an absent field reads as NULL and not as '' or 0; measured, that costs nothing.
const text: LeafField = { type: STRING, clickhouseType: 'Nullable(String)' };
/** Text with few distinct values. */
const label: LeafField = { type: STRING, clickhouseType: 'LowCardinality(Nullable(String))' };
const integer: LeafField = { type: INT64, clickhouseType: 'Nullable(Int64)' };
/** Durations may have fractions of a millisecond. */
const float: LeafField = { type: FLOAT64, clickhouseType: 'Nullable(Float64)' };
const boolean: LeafField = { type: BOOL, clickhouseType: 'Nullable(Bool)' };

const requestHeaders: RecordFields = {
  accept: label,
  cf_connecting_ip: text,
  cf_ipcountry: label,
  cf_ray: text,
  content_length: text, // a header, so text
  content_type: label,
  host: label,
  referer: text,
  user_agent: text,
  x_client_info: label,
  x_forwarded_for: text,
  x_forwarded_proto: label,
  x_real_ip: text,
};

const responseHeaders: RecordFields = { cf_cache_status: label, cf_ray: text, content_length: text, content_type: label };

const edgeRequest: RecordFields = {
  method: label,
  path: text,
  url: text,
  host: label,
  search: text,
  protocol: label,
  port: integer,
  headers: requestHeaders,
  cf: {
    asn: integer,
    asOrganization: label,
    city: label,
    colo: label,
    continent: label,
    country: label,
    httpProtocol: label,
    region: label,
    timezone: label,
  },
};

const general: RecordFields = { project: label, level: label, host: label };

export const LOG_SOURCES: readonly LogSource[] = [
  {
    name: 'edge_logs',
    aliases: ['cloudflare.logs.prod'],
    description: 'requests at the edge of the API',
    columns: ['identifier'],
    metadata: {
      request: edgeRequest,
      response: { status_code: integer, origin_time: float, headers: responseHeaders },
    },
    searchedPath: 'request.url',
  },
  {
    name: 'function_edge_logs',
    aliases: ['deno-relay-logs'],
    description: 'requests to functions',
    columns: [],
    metadata: {
      project_ref: label,
      function_id: label,
      execution_id: text,
      execution_time_ms: float,
      deployment_id: label,
      version: label,
      request: { method: label, pathname: text, url: text, host: label, protocol: label, search: text, headers: requestHeaders },
      response: { status_code: integer, headers: responseHeaders },
    },
  },
  {
    name: 'function_logs',
    aliases: ['deno-subhosting-events'],
    description: 'what functions print, and their events',
    columns: [],
    metadata: {
      project_ref: label,
      event_type: label,
      function_id: label,
      execution_id: text,
      deployment_id: label,
      version: label,
      level: label,
      region: label,
      boot_time: float,
      cpu_time_used: float,
      reason: label,
    },
  },
  {
    name: 'postgres_logs',
    aliases: ['postgres.logs'],
    description: 'the database',
    columns: ['identifier'],
    metadata: {
      host: label,
      project: label,
      parsed: {
        application_name: label,
        backend_type: label,
        command_tag: label,
        connection_from: text,
        context: text,
        database_name: label,
        detail: text,
        error_severity: label,
        hint: text,
        process_id: integer,
        query: text,
        query_id: integer,
        session_id: text,
        sql_state_code: label,
        user_name: label,
      },
    },
  },
  {
    name: 'auth_logs',
    aliases: ['gotrue.logs.prod'],
    description: 'the authentication service',
    columns: [],
    metadata: {
      ...general,
      component: label,
      duration: float,
      error: text,
      method: label,
      msg: text,
      path: text,
      referer: text,
      remote_addr: text,
      request_id: text,
      status: integer,
    },
  },
  {
    name: 'realtime_logs',
    aliases: ['realtime.logs.prod'],
    description: 'the realtime service',
    columns: [],
    metadata: { ...general, external_id: label },
  },
  {
    name: 'storage_logs',
    aliases: ['storage.logs.prod.2'],
    description: 'the storage service',
    columns: [],
    metadata: {
      ...general,
      req: { method: label, url: text, hostname: label, traceId: text },
      res: { statusCode: integer },
      responseTime: float,
      tenantId: label,
      isError: boolean,
    },
  },
  {
    name: 'postgrest_logs',
    aliases: ['postgREST.logs.prod'],
    description: 'the REST API over the database',
    columns: ['identifier'],
    metadata: general,
  },
  {
    name: 'pgbouncer_logs',
    aliases: ['pgbouncer.logs.prod'],
    description: 'the connection pooler of one database',
    columns: [],
    metadata: { ...general, db_name: label, user_name: label },
  },
  {
    name: 'supavisor_logs',
    aliases: ['supavisor.logs.prod'],
    description: 'the connection pooler that projects share',
    columns: [],
    metadata: { ...general, db_name: label, user_name: label },
  },
  {
    name: 'auth_audit_logs',
    aliases: ['auth.audit.logs.prod'],
    description: 'sign-ups, logins and changes of accounts',
    columns: [],
    metadata: general,
  },
  {
    name: 'etl_replication_logs',
    aliases: ['etl.replication.logs.prod'],
    description: 'replication to other databases',
    columns: ['pipeline_id'],
    metadata: general,
  },
  {
    name: 'pg_upgrade_logs',
    aliases: ['pg.upgrade.logs.prod'],
    description: 'upgrades of the database to another version',
    columns: [],
    metadata: general,
  },
  {
    name: 'multigres_logs',
    aliases: ['multigres.logs.prod'],
    description: 'the service that keeps the database available',
    columns: [],
    metadata: general,
  },
  {
    name: 'workflow_run_logs',
    aliases: [],
    description: 'what makes and migrates the databases of branches',
    columns: ['workflow_run'],
    metadata: general,
  },
];

export function isLeaf(field: LeafField | RecordFields): field is LeafField {
  return 'clickhouseType' in field && typeof field['clickhouseType'] === 'string';
}

/** The columns beside metadata and their types in the store, in its order: of every log source, and those of `source`. */
export const plainColumns = (source?: LogSource): readonly (readonly [name: string, clickhouseType: string])[] => [
  ...Object.entries(EVENT_COLUMNS),
  ...(source?.columns ?? []).map((name) => [name, 'Nullable(String)'] as const),
];

/** The fields as BigQuery shows them: nested records are repeated. */
export function recordType(fields: RecordFields): Type {
  return arrayOf(recordOf(Object.entries(fields).map(([name, field]) => ({ name, type: isLeaf(field) ? field.type : recordType(field) }))));
}

/** ClickHouse type by dotted path, for the paths of the JSON column that are declared. */
export function typedPaths(fields: RecordFields, prefix = ''): Readonly<Record<string, string>> {
  const paths: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (isLeaf(field)) paths[`${prefix}${name}`] = field.clickhouseType;
    else Object.assign(paths, typedPaths(field, `${prefix}${name}.`));
  }
  return paths;
}

/** The source of that name or alias; names compare without regard to case. */
export function findLogSource(name: string): LogSource | undefined {
  const wanted = name.toLowerCase();
  return LOG_SOURCES.find((source) => [source.name, ...source.aliases].some((known) => known.toLowerCase() === wanted));
}
