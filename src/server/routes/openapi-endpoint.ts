// The description of an endpoint in the OpenAPI document, made from its saved query.

import { REPLY_FORMATS } from '../../base/formats.ts';
import type { ResultColumn } from '../../base/result.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { parameterSchema } from '../../queries/parameter-schema.ts';
import type { ParameterDeclaration } from '../../queries/saved-query.ts';
import { contentTypeOf } from '../answers/renderers.ts';
import { AS_OF, takesAsOf } from './as-of.ts';
import type { Compat } from './call.ts';
import type { DescribedEndpoint, Operation, Route, RouteParts, Schema } from './route.ts';
import { PAGE_PARAMETERS, takesPages } from './wanted-page.ts';

type Type = ResultColumn['type'];

export function endpointOperation(method: Route['method']) {
  return ({ query, prepared, takesSql }: DescribedEndpoint, { compat }: Pick<RouteParts, 'compat'>): Operation => {
    const own = prepared?.parameters ?? query.parameters;
    const timed = prepared !== undefined && takesAsOf(prepared, compat) ? [...own, AS_OF] : own;
    const parameters = takesPages({ parameters: own }, compat) ? [...timed, ...PAGE_PARAMETERS] : timed;
    return {
      operationId: `${method.toLowerCase()}_${query.name}`,
      summary: query.description === '' ? query.name : query.description,
      ...(method === 'POST' ? { requestBody: requestBody(parameters, takesSql) } : { parameters: inAddress(parameters, takesSql) }),
      responses: {
        200: success(prepared, compat),
        ...(method === 'GET' ? { 304: { description: 'The client already has this reply.' } } : {}),
      },
    };
  };
}

function inAddress(parameters: readonly ParameterDeclaration[], sandbox: boolean): readonly Schema[] {
  return [
    ...parameters.map((parameter) => ({
      name: parameter.name,
      in: 'query',
      required: parameter.required,
      ...(parameter.description === undefined ? {} : { description: parameter.description }),
      ...(parameter.example === undefined ? {} : { example: parameter.example }),
      ...inQuery(parameter),
    })),
    ...(sandbox ? [{ name: 'sql', in: 'query', required: false, description: SQL, schema: { type: 'string' } }] : []),
    ...(parameters.some(({ name }) => name === 'format')
      ? []
      : [
          {
            name: 'format',
            in: 'query',
            required: false,
            description: 'Format of the reply.',
            schema: { type: 'string', enum: REPLY_FORMATS },
          },
        ]),
  ];
}

/** An object in the address is JSON text. */
function inQuery(parameter: ParameterDeclaration): Schema {
  const schema = parameterSchema(parameter);
  return parameter.type === 'struct' || parameter.type === 'json' ? { content: { 'application/json': { schema } } } : { schema };
}

const SQL = 'A query that replaces the SELECT of the saved query and reads its WITH tables.';

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

function success(prepared: PreparedQuery | undefined, compat: Compat): Schema {
  const properties = Object.fromEntries(
    (prepared?.columns ?? []).map(({ name, type }, i) => [name === '' ? `f${i}_` : name, columnSchema(type, compat)]),
  );
  const row = { type: 'object', ...(prepared?.columns === undefined ? {} : { properties, required: Object.keys(properties) }) };
  const meta = {
    type: 'object',
    description: 'Present when the row limit cut off rows.',
    properties: { truncated: { type: 'boolean' }, rows: { type: 'integer' } },
  };
  const json = { type: 'object', properties: { result: { type: 'array', items: row }, meta }, required: ['result'] };
  const others = REPLY_FORMATS.filter((format) => format !== 'json').map((format) => [
    mediaType(contentTypeOf(format)),
    { schema: { type: 'string' } },
  ]);
  return {
    description: `The rows${prepared === undefined ? '' : `, at most ${prepared.maxRows}`}.`,
    headers: {
      'X-Cache': { description: 'Where the rows come from.', schema: { type: 'string', enum: ['hit', 'revalidated', 'miss', 'stale'] } },
      ETag: { schema: { type: 'string' } },
      Link: { description: 'With page_size, the address of the next page: rel="next".', schema: { type: 'string' } },
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
      return { type: ['number', 'string', 'null'], description: 'NaN and infinities are text.' };
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
