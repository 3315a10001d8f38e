// The methods of routines: saved queries with parameters are table functions.

import type { ListedRoutine } from '../../../../sources/information-schema/views.ts';
import type { Type } from '../../../../sql/base/types.ts';
import { json, type PlainReply } from '../../../http/reply.ts';
import type { DoorRoute, Question } from '../../../routes/route.ts';
import { notFound } from '../errors.ts';
import { listPage } from './list-page.ts';
import { type CatalogServer, datasetsFor, named, routinesFor } from './listed.ts';
import { placeIn } from './projects.ts';

const ROUTINES = '/projects/:projectId/datasets/:datasetId/routines';

export const routineRoutes: readonly DoorRoute[] = [
  { name: 'bigquery.routines.list', method: 'GET', path: ROUTINES, open: (server) => (question) => list(server, question) },
  {
    name: 'bigquery.routines.get',
    method: 'GET',
    path: `${ROUTINES}/:routineId`,
    open: (server) => (question) => get(server, question),
  },
];

async function list(server: CatalogServer, question: Question): Promise<PlainReply> {
  const { projectId, datasetId } = placeIn(question);
  const all = await routinesFor(server, question.caller, datasetId);
  if (all.length === 0 && named(await datasetsFor(server, question.caller, projectId), datasetId, (name) => name) === undefined)
    throw notFound('Dataset', `${projectId}:${datasetId}`);
  const { items, ...rest } = listPage(all, question);
  return json({ ...rest, routines: items.map((routine) => routineOf(projectId, datasetId, routine)) });
}

async function get(server: CatalogServer, question: Question): Promise<PlainReply> {
  const { projectId, datasetId, routineId } = placeIn(question);
  const routine = named(await routinesFor(server, question.caller, datasetId), routineId, ({ name }) => name);
  if (routine === undefined) throw notFound('Routine', `${projectId}:${datasetId}.${routineId}`);
  const { query, columns, description } = routine;
  return json({
    ...routineOf(projectId, datasetId, routine),
    ...(description === undefined || description === '' ? {} : { description }),
    definitionBody: query,
    returnTableType: { columns: columns.map(({ name, type }) => ({ name, type: standardType(type) })) },
  });
}

const routineOf = (projectId: string, datasetId: string, { name, parameters }: ListedRoutine) => ({
  etag: name,
  routineReference: { projectId, datasetId, routineId: name },
  routineType: 'TABLE_VALUED_FUNCTION',
  language: 'SQL',
  creationTime: '0',
  lastModifiedTime: '0',
  arguments: parameters.map((parameter) => ({ name: parameter.name, dataType: standardType(parameter.type) })),
});

/** Returns the type as StandardSqlDataType, whose names are those of GoogleSQL. */
function standardType(type: Type): object {
  switch (type.kind) {
    case 'ARRAY':
      return { typeKind: 'ARRAY', arrayElementType: standardType(type.element) };
    case 'STRUCT':
      return {
        typeKind: 'STRUCT',
        structType: { fields: type.fields.map((field) => ({ name: field.name ?? '', type: standardType(field.type) })) },
      };
    case 'RECORD':
      return { typeKind: 'JSON' };
    case 'DYNAMIC':
      return { typeKind: 'STRING' };
    default:
      return { typeKind: type.kind };
  }
}
