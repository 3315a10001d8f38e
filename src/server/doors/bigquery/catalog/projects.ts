// The methods of projects and datasets. The project of an address may be any.
import { json, type PlainReply } from '../../../http/reply.ts';
import type { DoorRoute, Question } from '../../../routes/route.ts';
import { notFound } from '../errors.ts';
import { listPage } from './list-page.ts';
import { type CatalogServer, datasetsFor, named } from './listed.ts';

/** Where all data are, for clients that send it back. */
export const LOCATION = 'US';
/** The project that is listed, since no project is known here but by its name in an address. */
const PROJECT = 'quern';

export const projectRoutes: readonly DoorRoute[] = [
  { name: 'bigquery.projects.list', method: 'GET', path: '/projects', open: () => () => listProjects() },
  {
    name: 'bigquery.projects.getServiceAccount',
    method: 'GET',
    path: '/projects/:projectId/serviceAccount',
    open: () => (question) => getServiceAccount(question),
  },
  {
    name: 'bigquery.datasets.list',
    method: 'GET',
    path: '/projects/:projectId/datasets',
    open: (server) => (question) => list(server, question),
  },
  {
    name: 'bigquery.datasets.get',
    method: 'GET',
    path: '/projects/:projectId/datasets/:datasetId',
    open: (server) => (question) => get(server, question),
  },
];

const listProjects = (): PlainReply =>
  json({
    kind: 'bigquery#projectList',
    etag: PROJECT,
    projects: [{ kind: 'bigquery#project', id: PROJECT, numericId: '1', projectReference: { projectId: PROJECT }, friendlyName: PROJECT }],
    totalItems: 1,
  });

const getServiceAccount = (question: Question): PlainReply =>
  json({ kind: 'bigquery#getServiceAccountResponse', email: `quern@${placeIn(question).projectId}.iam.gserviceaccount.com` });

async function list(server: CatalogServer, question: Question): Promise<PlainReply> {
  const { projectId } = placeIn(question);
  const { filter = '' } = question.request.query as { readonly filter?: string }; // as Fastify reads addresses
  // A filter is by labels, which no dataset has.
  const all = filter === '' ? await datasetsFor(server, question.caller, projectId) : [];
  const { items, ...rest } = listPage(all, question);
  return json({
    kind: 'bigquery#datasetList',
    etag: `${projectId} ${items.length}`,
    ...rest,
    datasets: items.map((datasetId) => ({ kind: 'bigquery#dataset', ...datasetOf(projectId, datasetId) })),
  });
}

async function get(server: CatalogServer, question: Question): Promise<PlainReply> {
  const { projectId, datasetId } = placeIn(question);
  const found = named(await datasetsFor(server, question.caller, projectId), datasetId, (name) => name);
  if (found === undefined) throw notFound('Dataset', `${projectId}:${datasetId}`);
  return json({
    kind: 'bigquery#dataset',
    etag: found,
    selfLink: `/bigquery/v2/projects/${projectId}/datasets/${found}`,
    ...datasetOf(projectId, found),
    creationTime: '0',
    lastModifiedTime: '0',
    type: 'DEFAULT',
    access: [],
  });
}

const datasetOf = (projectId: string, datasetId: string) => ({
  id: `${projectId}:${datasetId}`,
  datasetReference: { projectId, datasetId },
  location: LOCATION,
});

interface PlaceInAddress {
  readonly projectId: string;
  readonly datasetId: string;
  readonly tableId: string;
  readonly routineId: string;
}

/** Returns the names in an address; those that its path has. */
export const placeIn = ({ request }: Pick<Question, 'request'>): PlaceInAddress => request.params as PlaceInAddress; // as the paths have them
