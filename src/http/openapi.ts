// The description of all endpoints, made from the saved queries: https://spec.openapis.org/oas/v3.1.0

import type { Plan } from '../execution/plan.ts';
import { REPLY_FORMATS } from '../formats.ts';
import type { ResultColumn } from '../result.ts';
import type { ParameterDeclaration, ParameterTypeName, SavedQuery } from '../saved-query/saved-query.ts';
import type { Compat } from './call.ts';
import { contentTypeOf } from './renderers.ts';

type Schema = Readonly<Record<string, unknown>>;
type Type = ResultColumn['type'];

interface Described {
  readonly query: SavedQuery;
  /** Absent while the engine cannot be asked what its tables hold. */
  readonly plan: Plan | undefined;
}

export interface OpenApiOptions {
  readonly version: string;
  readonly compat: Compat;
  readonly takesSql: (query: SavedQuery) => boolean;
  readonly authentication: boolean;
}

/** An OpenAPI 3.1 document. */
export function openApi(endpoints: readonly Described[], { version, compat, takesSql, authentication }: OpenApiOptions): Schema {
  const security = authentication ? { security: [{ key: [] }, { bearer: [] }] } : {};
  const schemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
    bearer: { type: 'http', scheme: 'bearer' },
  };
  return {
    openapi: '3.1.0',
    info: { title: 'quern', version, description: 'Saved queries, each an endpoint.' },
    paths: Object.fromEntries(
      endpoints.map((endpoint) => [`/api/endpoints/${endpoint.query.name}`, pathItem(endpoint, compat, takesSql(endpoint.query))] as const),
    ),
    components: { schemas: { Error: ERROR }, responses: RESPONSES, ...(authentication ? { securitySchemes: schemes } : {}) },
    ...security,
  };
}

function pathItem({ query, plan }: Described, compat: Compat, takesSql: boolean): Schema {
  const parameters = plan?.parameters ?? query.parameters;
  const operation = (method: string) => ({
    operationId: `${method}_${query.name}`,
    summary: query.description === '' ? query.name : query.description,
    ...(method === 'post' ? { requestBody: requestBody(parameters, takesSql) } : { parameters: inAddress(parameters, takesSql) }),
    responses: {
      200: success(plan, compat),
      ...(method === 'get' ? { 304: { description: 'The client has these bytes.' } } : {}),
      ...FAILURES,
    },
  });
  return { get: operation('get'), post: operation('post') };
}

function inAddress(parameters: readonly ParameterDeclaration[], sandbox: boolean): readonly Schema[] {
  return [
    ...parameters.map((parameter) => ({
      name: parameter.name,
      in: 'query',
      required: parameter.required,
      ...(parameter.description === undefined ? {} : { description: parameter.description }),
      ...(parameter.example === undefined ? {} : { example: parameter.example }),
      schema: parameterSchema(parameter),
    })),
    ...(sandbox ? [{ name: 'sql', in: 'query', required: false, description: SQL, schema: { type: 'string' } }] : []),
    ...(parameters.some(({ name }) => name === 'format')
      ? []
      : [
          {
            name: 'format',
            in: 'query',
            required: false,
            description: 'Form of the reply.',
            schema: { type: 'string', enum: REPLY_FORMATS },
          },
        ]),
  ];
}

const SQL = 'A query that takes the place of the saved one’s SELECT and reads its WITH tables.';

function requestBody(parameters: readonly ParameterDeclaration[], sandbox: boolean): Schema {
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        parameters.map((parameter) => [
          parameter.name,
          { ...parameterSchema(parameter), ...(parameter.description === undefined ? {} : { description: parameter.description }) },
        ]),
      ),
      ...(sandbox ? { sql: { type: 'string', description: SQL } } : {}),
    },
    ...(required.length === 0 ? {} : { required }),
  };
  return { required: required.length > 0, content: { 'application/json': { schema } } };
}

const PARAMETER_SCHEMAS: Readonly<Record<ParameterTypeName, Schema>> = {
  string: { type: 'string' },
  integer: { type: 'integer', format: 'int64' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
};

function parameterSchema({ type, array, enum: allowed, default: fallback }: ParameterDeclaration): Schema {
  const one = { ...PARAMETER_SCHEMAS[type], ...(allowed === undefined ? {} : { enum: allowed }) };
  return { ...(array ? { type: 'array', items: one } : one), ...(fallback === undefined ? {} : { default: fallback }) };
}

function success(plan: Plan | undefined, compat: Compat): Schema {
  const properties = Object.fromEntries(
    (plan?.columns ?? []).map(({ name, type }, i) => [name === '' ? `f${i}_` : name, columnSchema(type, compat)]),
  );
  const row = { type: 'object', ...(plan?.columns === undefined ? {} : { properties, required: Object.keys(properties) }) };
  const meta = {
    type: 'object',
    description: 'Present when the row limit cut rows off.',
    properties: { truncated: { type: 'boolean' }, rows: { type: 'integer' } },
  };
  const json = { type: 'object', properties: { result: { type: 'array', items: row }, meta }, required: ['result'] };
  const others = REPLY_FORMATS.filter((format) => format !== 'json').map((format) => [
    mediaType(contentTypeOf(format)),
    { schema: { type: 'string' } },
  ]);
  return {
    description: `The rows${plan === undefined ? '' : `, at most ${plan.maxRows}`}.`,
    headers: {
      'X-Cache': { description: 'Where the rows come from.', schema: { type: 'string', enum: ['hit', 'miss', 'stale'] } },
      ETag: { schema: { type: 'string' } },
    },
    content: { 'application/json': { schema: json }, ...Object.fromEntries(others) },
  };
}

const mediaType = (contentType: string): string => contentType.split(';')[0] ?? contentType;

function columnSchema(type: Type, compat: Compat): Schema {
  switch (type.kind) {
    case 'ARRAY':
      return { type: ['array', 'null'], items: columnSchema(type.element, compat) };
    case 'STRUCT':
      return {
        type: ['object', 'null'],
        properties: Object.fromEntries(type.fields.map((field, i) => [field.name ?? `_field_${i + 1}`, columnSchema(field.type, compat)])),
      };
    case 'RECORD':
      return { type: ['array', 'null'], items: { type: 'object' } };
    case 'BOOL':
      return { type: ['boolean', 'null'] };
    case 'INT64':
      return { type: ['integer', 'null'], format: 'int64' };
    case 'FLOAT64':
      return { type: ['number', 'string', 'null'], description: 'NaN and the infinities are text.' };
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return { type: ['number', 'null'] };
    case 'TIMESTAMP':
      return compat === 'logflare'
        ? { type: ['integer', 'null'], format: 'int64', description: 'Microseconds since 1970.' }
        : { type: ['string', 'null'], format: 'date-time' };
    case 'DATE':
      return { type: ['string', 'null'], format: 'date' };
    case 'JSON':
    case 'DYNAMIC':
      return {};
    default:
      return { type: ['string', 'null'] };
  }
}

const ERROR: Schema = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        hint: { type: 'string' },
        position: {
          type: 'object',
          properties: { file: { type: 'string' }, line: { type: 'integer' }, column: { type: 'integer' } },
        },
        problems: {
          type: 'array',
          items: { type: 'object', properties: { kind: { type: 'string' }, name: { type: 'string' }, message: { type: 'string' } } },
        },
      },
      required: ['code', 'message'],
    },
  },
  required: ['error'],
};

const FAILURE_TEXTS: Readonly<Record<string, string>> = {
  400: 'Parameters are missing or do not fit.',
  401: 'No API key, or one that is not known.',
  403: 'The API key does not cover this endpoint.',
  422: 'The SQL of the caller is wrong or refused, or the query met a value that it cannot compute with, or a limit.',
  429: 'The API key has asked too often.',
  500: 'Something is wrong in the server or in the saved query.',
  502: 'The engine reported an error of its own.',
  503: 'The engine cannot be reached, or has too much to do.',
  504: 'The query took too long.',
};

const RESPONSES: Schema = Object.fromEntries(
  Object.entries(FAILURE_TEXTS).map(([status, description]) => [
    `E${status}`,
    { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]),
);

const FAILURES: Schema = Object.fromEntries(
  Object.keys(FAILURE_TEXTS).map((status) => [status, { $ref: `#/components/responses/E${status}` }]),
);
