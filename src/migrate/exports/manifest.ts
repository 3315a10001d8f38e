// dbt's target/manifest.json: the SQL of its models as compiled, and the table that each one makes.
import { type Endpoint, type Fields, isFields, query, text, type Unreadable } from '../endpoint.ts';

/** The facts about a model in the manifest. */
export interface Model {
  readonly name: string;
  /** `project.dataset.table`. */
  readonly relation?: string;
  readonly description?: string;
}

export const isManifest = (value: unknown): value is Fields =>
  isFields(value) && isFields(value['nodes']) && isFields(value['metadata']) && 'dbt_schema_version' in value['metadata'];

/** The models of the manifest, and what else is a SELECT of its own. */
export function readManifest(manifest: Fields): readonly (Endpoint | Unreadable)[] {
  return nodesOf(manifest).map((node): Endpoint | Unreadable => {
    const { name, relation, description } = modelOf(node);
    const sql = text(node['compiled_code']) ?? text(node['compiled_sql']);
    if (sql === undefined)
      return { kind: 'unreadable', name, reason: 'the manifest contains no compiled SQL for it', hint: 'run `dbt compile` first' };
    if (node['language'] === 'python') return { kind: 'unreadable', name, reason: 'it is a Python model, not SQL' };
    return query(name, sql, { folders: foldersOf(node), relation, description });
  });
}

/** Returns the facts of the manifest about each file of SQL, by its path below `target/compiled`. */
export function modelsByPath(manifest: Fields): ReadonlyMap<string, Model> {
  return new Map(nodesOf(manifest).map((node) => [`${String(node['package_name'])}/${String(node['original_file_path'])}`, modelOf(node)]));
}

const nodesOf = (manifest: Fields): readonly Fields[] =>
  Object.values(isFields(manifest['nodes']) ? manifest['nodes'] : {})
    .filter(isFields)
    .filter(({ resource_type: type }) => type === 'model' || type === 'analysis');

function modelOf(node: Fields): Model {
  // `project`.`dataset`.`table`
  const relation = text(node['relation_name'])?.replaceAll('`', '');
  const description = text(node['description']);
  return { name: text(node['name']) ?? '', relation, description };
}

/** Folders of the model below `models`. */
const foldersOf = (node: Fields): readonly string[] =>
  String(node['original_file_path'] ?? '')
    .split(/[/\\]/)
    .slice(1, -1);
