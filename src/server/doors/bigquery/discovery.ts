// The discovery document, from which `bq` learns the addresses of methods and what they take.
import { json } from '../../http/reply.ts';
import type { PlainRoute, Question } from '../../routes/route.ts';

/** A method as `HTTP-METHOD path`, and the names of its query string; `*` behind a name: it may be repeated. */
type Method = readonly [address: string, query?: string];

const PAGES = 'maxResults pageToken';
const DATASET = 'projects/{+projectId}/datasets/{+datasetId}';
const TABLE = `${DATASET}/tables/{+tableId}`;
const ROUTINE = `${DATASET}/routines/{+routineId}`;

/** The methods of the API that clients call by name; those that quern does not have answer 501. */
const RESOURCES: Readonly<Record<string, Readonly<Record<string, Method>>>> = {
  projects: { list: ['GET projects', PAGES], getServiceAccount: ['GET projects/{+projectId}/serviceAccount'] },
  datasets: {
    list: ['GET projects/{+projectId}/datasets', `all filter ${PAGES}`],
    get: [`GET ${DATASET}`, 'accessPolicyVersion datasetView'],
    insert: ['POST projects/{+projectId}/datasets', 'accessPolicyVersion'],
    patch: [`PATCH ${DATASET}`, 'accessPolicyVersion updateMode'],
    update: [`PUT ${DATASET}`, 'accessPolicyVersion updateMode'],
    delete: [`DELETE ${DATASET}`, 'deleteContents'],
    undelete: [`POST ${DATASET}:undelete`],
  },
  tables: {
    list: [`GET ${DATASET}/tables`, PAGES],
    get: [`GET ${TABLE}`, 'selectedFields view'],
    insert: [`POST ${DATASET}/tables`],
    patch: [`PATCH ${TABLE}`, 'autodetect_schema'],
    update: [`PUT ${TABLE}`, 'autodetect_schema'],
    delete: [`DELETE ${TABLE}`],
  },
  tabledata: {
    list: [`GET ${TABLE}/data`, `${PAGES} selectedFields startIndex formatOptions.useInt64Timestamp formatOptions.timestampOutputFormat`],
    insertAll: [`POST ${TABLE}/insertAll`],
  },
  routines: {
    list: [`GET ${DATASET}/routines`, `filter readMask ${PAGES}`],
    get: [`GET ${ROUTINE}`, 'readMask'],
    insert: [`POST ${DATASET}/routines`],
    update: [`PUT ${ROUTINE}`],
    delete: [`DELETE ${ROUTINE}`],
  },
  models: {
    list: [`GET ${DATASET}/models`, PAGES],
    get: [`GET ${DATASET}/models/{+modelId}`],
    patch: [`PATCH ${DATASET}/models/{+modelId}`],
    delete: [`DELETE ${DATASET}/models/{+modelId}`],
  },
  rowAccessPolicies: { list: [`GET ${TABLE}/rowAccessPolicies`, 'pageSize pageToken'] },
  jobs: {
    query: ['POST projects/{+projectId}/queries'],
    insert: ['POST projects/{+projectId}/jobs'],
    list: ['GET projects/{+projectId}/jobs', `allUsers ${PAGES} maxCreationTime minCreationTime parentJobId projection stateFilter*`],
    get: ['GET projects/{+projectId}/jobs/{+jobId}', 'location'],
    getQueryResults: [
      'GET projects/{+projectId}/queries/{+jobId}',
      `location ${PAGES} startIndex timeoutMs formatOptions.useInt64Timestamp formatOptions.timestampOutputFormat`,
    ],
    cancel: ['POST projects/{+projectId}/jobs/{+jobId}/cancel', 'location'],
    delete: ['DELETE projects/{+projectId}/jobs/{+jobId}/delete', 'location'],
  },
};

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const SERVICE_PATH = 'bigquery/v2/';

const parameter = (location: 'path' | 'query', repeated: boolean) => ({
  type: 'string',
  location,
  ...(location === 'path' ? { required: true } : {}),
  ...(repeated ? { repeated: true } : {}),
});

function methodOf(id: string, [address, query = '']: Method) {
  const [httpMethod = '', path = ''] = address.split(' ');
  const inPath = [...path.matchAll(/\{\+(\w+)\}/g)].map(([, name = '']) => name);
  const inQuery = query.split(' ').filter((name) => name !== '');
  return {
    id: `bigquery.${id}`,
    path,
    flatPath: path.replaceAll('{+', '{'),
    httpMethod,
    parameterOrder: inPath,
    parameters: Object.fromEntries([
      ...inPath.map((name) => [name, parameter('path', false)]),
      ...inQuery.map((name) => [name.replace('*', ''), parameter('query', name.endsWith('*'))]),
    ]),
    ...(METHODS_WITH_BODY.has(httpMethod) ? { request: { $ref: 'Resource' } } : {}),
    response: { $ref: pagesOf(inQuery) },
    ...(id === 'jobs.insert' ? UPLOADS : {}),
  };
}

/** Where the reply has the token of the next page: rows, of which a page may begin anywhere, have it as `pageToken`. */
function pagesOf(inQuery: readonly string[]): keyof typeof SCHEMAS {
  if (!inQuery.includes('pageToken')) return 'Resource';
  return inQuery.includes('startIndex') ? 'Rows' : 'List';
}

const schema = (id: string, properties?: object) => ({ id, type: 'object', properties, additionalProperties: { type: 'any' } });
const SCHEMAS = {
  Resource: schema('Resource'),
  List: schema('List', { nextPageToken: { type: 'string' } }),
  Rows: schema('Rows', { pageToken: { type: 'string' } }),
};

/** `bq` passes files to this method, and nothing for a query; such a method must take them. */
const UPLOADS = {
  supportsMediaUpload: true,
  mediaUpload: {
    accept: ['*/*'],
    protocols: {
      simple: { multipart: true, path: '/upload/bigquery/v2/projects/{+projectId}/jobs' },
      resumable: { multipart: true, path: '/resumable/upload/bigquery/v2/projects/{+projectId}/jobs' },
    },
  },
};

const RESOURCES_DESCRIBED = Object.fromEntries(
  Object.entries(RESOURCES).map(([resource, methods]) => [
    resource,
    { methods: Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, methodOf(`${resource}.${name}`, method)])) },
  ]),
);

/** `rootUrl` is where the caller has asked: a client would go to Google otherwise. */
function discoveryDocument(rootUrl: string) {
  return {
    kind: 'discovery#restDescription',
    discoveryVersion: 'v1',
    id: 'bigquery:v2',
    name: 'bigquery',
    version: 'v2',
    title: 'BigQuery API',
    description: 'What quern answers of the BigQuery API.',
    protocol: 'rest',
    rootUrl,
    servicePath: SERVICE_PATH,
    basePath: `/${SERVICE_PATH}`,
    baseUrl: `${rootUrl}${SERVICE_PATH}`,
    batchPath: 'batch/bigquery/v2',
    parameters: Object.fromEntries(
      [
        'alt',
        'fields',
        'key',
        'oauth_token',
        'prettyPrint',
        'quotaUser',
        'userIp',
        'access_token',
        'callback',
        'uploadType',
        'upload_protocol',
        '$.xgafv',
      ].map((name) => [name, { type: 'string', location: 'query' }]),
    ),
    schemas: SCHEMAS,
    resources: RESOURCES_DESCRIBED,
  };
}

/** Who asks for it shows no key yet: it tells nothing that is not public. */
export const discoveryRoutes: readonly Pick<PlainRoute, 'method' | 'path' | 'open'>[] = [
  '/$discovery/rest',
  '/discovery/v1/apis/bigquery/v2/rest',
].map((path) => ({ method: 'GET', path, open: () => (question) => json(discoveryDocument(rootUrlOf(question))) }));

function rootUrlOf({ request }: Question): string {
  const { 'x-forwarded-proto': forwarded } = request.headers;
  const protocol = typeof forwarded === 'string' && /^https?$/.test(forwarded) ? forwarded : request.protocol;
  return `${protocol}://${request.host}/`;
}
