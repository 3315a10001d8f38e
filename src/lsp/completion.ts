// Lists what can be written at a place of a document: in its header, and in its query.
import { type CompletionItem, CompletionItemKind, InsertTextFormat } from 'vscode-languageserver';
import type { JsonSchema } from '../base/json-schema.ts';
import { namesOfQueries } from '../queries/catalog.ts';
import { querySchema } from '../queries/header/fields.ts';
import { headerSpan } from '../queries/header/text.ts';
import { parameterTypeText } from '../queries/parameter-types.ts';
import { findLogSource } from '../sources/log/log-sources.ts';
import { placeAt, type Suggestion, suggestionsAt } from '../suggest/suggest.ts';
import { askerOf, type Project, savedQueryOf } from './project.ts';

const KINDS: Readonly<Record<Suggestion['kind'], CompletionItemKind>> = {
  field: CompletionItemKind.Field,
  function: CompletionItemKind.Function,
  keyword: CompletionItemKind.Keyword,
  parameter: CompletionItemKind.Variable,
  'with-table': CompletionItemKind.Variable,
  source: CompletionItemKind.Class,
  'saved-query': CompletionItemKind.File,
};

/** Fields stand before functions, and these before words; tables of the user's own before saved queries. */
const ORDER: Partial<Record<Suggestion['kind'], string>> = {
  field: '0',
  function: '1',
  keyword: '2',
  'with-table': '0',
  source: '1',
  'saved-query': '2',
};
/** Log sources are there in every project, and come last. */
const LOG_SOURCE = '3';

/** An open document, and what the editor can do with what is sent. */
interface CompletionRequest {
  readonly text: string;
  readonly offset: number;
  readonly path: string;
  /** It can put the cursor between brackets. */
  readonly snippets: boolean;
}

/** Returns what may stand at `offset`. A text that cannot be read is no error. */
export async function completionsAt(
  { text, offset, path, snippets }: CompletionRequest,
  project: Project,
): Promise<readonly CompletionItem[]> {
  const header = headerSpan(text);
  if (header === 'unclosed' || (header !== undefined && offset < header.end + 5)) return headerItems(text.slice(0, offset));
  const place = placeAt(text, offset);
  const suggestions = suggestionsAt(place, {
    columns: await Promise.all(place.probes.map(askerOf({ path, text }, project))),
    tables: place.wants === 'tables' ? await tablesBeside(path, project) : [],
    parameters: (savedQueryOf({ name: path, text })?.parameters ?? []).map((parameter) => ({
      name: parameter.name,
      type: parameterTypeText(parameter),
      description: parameter.description,
    })),
  });
  return suggestions.map(({ label, kind, detail, documentation, insert, filter }) => ({
    label,
    kind: KINDS[kind],
    detail,
    documentation,
    ...(insert === undefined ? {} : inserted(insert, snippets)),
    filterText: filter,
    ...sorted(kind, label),
  }));
}

async function tablesBeside(path: string, project: Project) {
  const { names: sources } = await (await project.preparing()).sources.resolve([]);
  const queries = namesOfQueries(await project.services.queryFolders()).filter((name) => !path.endsWith(`/${name}.sql`));
  return [
    ...sources.map((name) => ({ name, kind: 'source' as const })),
    ...queries.map((name) => ({ name, kind: 'saved-query' as const })),
  ];
}

function sorted(kind: Suggestion['kind'], label: string): Pick<CompletionItem, 'sortText'> {
  const order = kind === 'source' && findLogSource(label) !== undefined ? LOG_SOURCE : ORDER[kind];
  return order === undefined ? {} : { sortText: `${order}${kind === 'function' ? label.toUpperCase() : label}` };
}

const inserted = (text: string, snippets: boolean): Pick<CompletionItem, 'insertText' | 'insertTextFormat'> =>
  snippets && text.endsWith('(') ? { insertText: `${text}$0)`, insertTextFormat: InsertTextFormat.Snippet } : { insertText: text };

/** Fields of the header, those of a parameter, or values, by how far the line is indented. */
function headerItems(before: string): readonly CompletionItem[] {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const fields = propertiesOf(querySchema());
  const { anyOf: forms } = asSchema(asSchema(fields['params'])['additionalProperties']);
  // A parameter is its type alone, or a mapping.
  const parameter = propertiesOf(asSchema(Array.isArray(forms) ? forms.at(-1) : undefined));
  const value = /(\w+):\s*[\w "]*$/.exec(line)?.[1];
  const inParams =
    /^params:[^\n]*\n(?:[ \t]+[^\n]*\n)*[ \t]+[^\n]*$/m.test(before.slice(before.lastIndexOf('\nparams:') + 1)) && /^\s/.test(line);
  if (value !== undefined) return valuesOf(asSchema((inParams ? parameter : fields)[value]));
  if (inParams) return /[{,]\s*\w*$/.test(line) || /^\s{4,}\w*$/.test(line) ? keyItems(parameter) : [];
  return /^\w*$/.test(line) ? keyItems(fields) : [];
}

const asSchema = (schema: unknown): JsonSchema => (typeof schema === 'object' && schema !== null ? (schema as JsonSchema) : {});
export const propertiesOf = (schema: JsonSchema): JsonSchema => asSchema(schema['properties']);

const keyItems = (fields: JsonSchema): readonly CompletionItem[] =>
  Object.entries(fields).map(([name, schema]) => ({
    label: name,
    insertText: `${name}: `,
    kind: CompletionItemKind.Property,
    ...describedAs(asSchema(schema)),
  }));

const describedAs = ({ description }: JsonSchema): Pick<CompletionItem, 'documentation'> =>
  typeof description === 'string' ? { documentation: description } : {};

function valuesOf({ enum: values, type, examples }: JsonSchema): readonly CompletionItem[] {
  const usual = type === 'boolean' ? [true, false] : examples;
  const known = [values, usual].find(Array.isArray) ?? [];
  return known.map((value: unknown) => ({ label: String(value), kind: CompletionItemKind.Value }));
}
