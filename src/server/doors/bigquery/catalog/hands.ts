// What the catalog takes from the rest of the door.
import type { TranslatedColumn } from '../../../../sql/translation.ts';
import type { Told } from '../../../http/reply.ts';
import type { PlainRoute, Question, RouteParts } from '../../../routes/route.ts';

export interface CatalogHands {
  /** Returns the schema of columns in BigQuery's words. */
  readonly schemaOf: (columns: readonly TranslatedColumn[]) => { readonly fields: readonly Field[] };
  /** Returns the error for what is not there, such as the table `p:d.t`. */
  readonly notFound: (what: 'Table' | 'Dataset' | 'Routine', name: string) => Error;
  /** Returns the error for a request that says something wrong. */
  readonly invalid: (message: string, location: string) => Error;
  /** Runs a query as jobs are run, and returns the page that the request wants of its rows. */
  readonly readRows: (server: RouteParts, question: Question, wanted: WantedRows) => Promise<Told>;
  /** Answers tables.get and tabledata.list of the anonymous tables of jobs; undefined for every other table. */
  readonly tableOfJob?: ((server: RouteParts, question: Question) => Promise<Told | undefined>) | undefined;
  readonly rowsOfJob?: ((server: RouteParts, question: Question) => Promise<Told | undefined>) | undefined;
}

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly mode: string;
  readonly fields?: readonly Field[];
}

interface WantedRows {
  readonly projectId: string;
  readonly sql: string;
  /** The fields of the reply beside its rows; `totalRows` of the result goes before that here. */
  readonly head: Readonly<Record<string, unknown>>;
}

/** A row of the table of routes, with an address behind the base path; its requests are counted under the name. */
export type CatalogRoute = Pick<PlainRoute, 'method' | 'path' | 'open'> & { readonly name: string };
