// What can be written at a place: header fields, parameters, tables, columns, fields of records, functions.
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import type { JsonSchema } from '../json-schema.ts';
import { namesOfQueries } from '../queries/catalog.ts';
import { querySchema } from '../queries/header/schema.ts';
import { headerSpan } from '../queries/header/text.ts';
import { parameterTypeText } from '../queries/parameter-value.ts';
import { dialectFunctions } from '../sql/index.ts';
import { type Project, savedQueryOf } from './project.ts';
import { ctesAt, fieldsAt, readAround } from './scope.ts';

const KEYWORDS =
  'select from where group by order by having qualify limit offset with as join left right full inner cross on using unnest union all distinct except intersect case when then else end and or not in between like is null true false over partition by window interval cast safe_cast extract exists asc desc current_timestamp()'.split(
    ' ',
  );

/** What may stand at `offset`. Nothing is thrown for a text that cannot be read. */
export async function completionsAt(text: string, offset: number, path: string, project: Project): Promise<readonly CompletionItem[]> {
  const header = headerSpan(text);
  if (header === 'unclosed' || (header !== undefined && offset < header.end + 5)) return headerItems(text.slice(0, offset));
  const before = text.slice(0, offset);
  if (isInText(before)) return [];
  const word = /(?:@?\w*|`[^`\n]*|(?:\w+[.-])+\w*)$/.exec(before)?.[0] ?? '';
  if (word.startsWith('@')) return parameterItems(text, path);
  if (/\b(?:from|join)\s+$/i.test(before.slice(0, before.length - word.length))) return tableItems(text, offset, word, path, project);
  const prefix = /((?:\w+\.)+)\w*$/.exec(before)?.[1]?.slice(0, -1) ?? '';
  const reading = readAround(text, offset);
  const fields = reading === undefined ? [] : await fieldsAt(prefix, reading, offset, path, project);
  const columns = fields
    .filter(({ name }) => name !== '')
    .map(({ name, type }): CompletionItem => ({ label: name, kind: CompletionItemKind.Field, detail: type, sortText: `0${name}` }));
  return prefix === '' ? [...columns, ...functionItems(text), ...keywordItems(text)] : [...columns, ...functionItems(text, `${prefix}.`)];
}

/** Whether a text begins before the end and does not end there; also a comment. */
function isInText(before: string): boolean {
  const left = before.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`\n]*`|--[^\n]*\n|#[^\n]*\n|\/\*[\s\S]*?\*\//g, '');
  return /--|#|\/\*|['"]/.test(left);
}

const isUpper = (text: string): boolean => /\bSELECT\b/.test(text);

function functionItems(text: string, begin = ''): readonly CompletionItem[] {
  const upper = isUpper(text);
  return dialectFunctions()
    .filter(({ name }) => name.startsWith(begin.toUpperCase()))
    .map(({ name, signatures, differs }) => ({
      label: (upper ? name : name.toLowerCase()).slice(begin.length),
      kind: CompletionItemKind.Function,
      detail: signatures[0] ?? '',
      documentation: [...signatures.slice(1), differs ?? []].flat().join('\n'),
      sortText: `1${name}`,
    }));
}

const keywordItems = (text: string): readonly CompletionItem[] =>
  [...new Set(KEYWORDS)].map((word) => ({
    label: isUpper(text) ? word.toUpperCase() : word,
    kind: CompletionItemKind.Keyword,
    sortText: `2${word}`,
  }));

function parameterItems(text: string, path: string): readonly CompletionItem[] {
  return (savedQueryOf({ name: path, text })?.parameters ?? []).map((parameter) => ({
    label: `@${parameter.name}`,
    filterText: `@${parameter.name}`,
    insertText: parameter.name,
    kind: CompletionItemKind.Variable,
    detail: parameterTypeText(parameter),
    ...(parameter.description === undefined ? {} : { documentation: parameter.description }),
  }));
}

async function tableItems(text: string, offset: number, word: string, path: string, project: Project): Promise<readonly CompletionItem[]> {
  const reading = readAround(text, offset);
  const ctes = reading === undefined ? [] : ctesAt(reading.script, offset).map(({ name }) => name.name);
  const sources = await project.withSources(({ names }) => names);
  const queries = namesOfQueries(await project.services.queryFolders()).filter((name) => !path.endsWith(`/${name}.sql`));
  const quoted = word.startsWith('`');
  const item = (name: string, detail: string, kind: CompletionItemKind): CompletionItem => {
    const written = quoted || /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``;
    // What was written of a name with dots is no part of the word that an editor replaces.
    const done = quoted ? '' : (/^.*[.-]/.exec(word)?.[0] ?? '');
    const rest = done !== '' && name.startsWith(done) ? name.slice(done.length) : written;
    return { label: name, insertText: rest, filterText: rest === written ? name : rest, kind, detail };
  };
  return [
    ...ctes.map((name) => item(name, 'WITH table', CompletionItemKind.Variable)),
    ...sources.map((name) => item(name, 'source', CompletionItemKind.Class)),
    ...queries.map((name) => item(name, 'saved query', CompletionItemKind.File)),
  ];
}

/** Fields of the header, those of a parameter, or values, by how far the line is indented. */
function headerItems(before: string): readonly CompletionItem[] {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const fields = propertiesOf(querySchema());
  const parameter = propertiesOf(asSchema(asSchema(fields['params'])['additionalProperties']));
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
  const known = Array.isArray(values) ? values : type === 'boolean' ? [true, false] : Array.isArray(examples) ? examples : [];
  return known.map((value: unknown) => ({ label: String(value), kind: CompletionItemKind.Value }));
}
