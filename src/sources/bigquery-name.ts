// Names of BigQuery's tables, project.dataset.table. The project says nothing here; a dataset is a database of a server, or what stands before the dot in the name
// of a source. Sources whose names have no dot are those of the dataset `main`.

/** The dataset of the sources whose names have no dot. */
export const MAIN_DATASET = 'main';

/** The dataset in which saved queries are views, and table functions. */
export const QUERIES_DATASET = 'queries';

/** The project that stands where nobody has named one. */
export const OWN_PROJECT = 'quern';

interface TablePath {
  readonly dataset: string;
  readonly table: string;
}

/** Returns the dataset and the table of a name with one or two dots. A project of a domain has dots of its own: `example.com:shop`. */
export function tablePath(name: string): TablePath | undefined {
  const [table = '', dataset = '', ...project] = name.split('.').toReversed();
  if (table === '' || dataset === '') return undefined;
  return project.length < 2 || project.some((part) => part.includes(':')) ? { dataset, table } : undefined;
}

/** Returns where a source of that name is for who asks by project, dataset and table. */
export function placeOfSource(name: string): TablePath & { readonly project: string | undefined } {
  const [table = name, dataset = MAIN_DATASET, ...project] = name.split('.').toReversed();
  return { project: project.length === 0 ? undefined : project.toReversed().join('.'), dataset, table };
}

/** True of a name that asks for a view of INFORMATION_SCHEMA, or for `__TABLES__` and its summary. */
export const isInformationSchema = (name: string): boolean => /(?:^|\.)(?:information_schema\.[^.]+|__TABLES(?:_SUMMARY)?__)$/i.test(name);

/** True of a view of what datasets there are: the one name in front of it is that of a project. */
export const listsDatasets = (name: string): boolean => /^(?:(?!region-)[^.]+\.)?information_schema\.schemata(?:_options)?$/i.test(name);
