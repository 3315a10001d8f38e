// Adds entries to the sections of a quern.yaml, whose text stays as it is otherwise: comments, blank lines, quotes.
import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml';
import { QuernError } from '../base/errors.ts';
import { FILE_NAME } from './project-file.ts';

type Entries = Readonly<Record<string, unknown>>;

/** The text with these entries too; one that a section has already keeps its value. Throws QuernError `config` where the text has no room for them. */
export function withEntries(text: string, sections: Readonly<Record<string, Entries>>): string {
  return Object.entries(sections).reduce((all, [section, entries]) => withSection(all, section, entries), text);
}

function withSection(text: string, section: string, wanted: Entries): string {
  const document = parseDocument(text, { logLevel: 'error' });
  const before = asObject(document.toJS());
  const there = asObject(before[section]);
  const entries = Object.fromEntries(Object.entries(wanted).filter(([name]) => !Object.hasOwn(there, name)));
  if (Object.keys(entries).length === 0) return text;
  const root = document.contents;
  const pair = isMap(root) ? root.items.find(({ key }) => isScalar(key) && key.value === section) : undefined;
  const added = pair === undefined ? appended(text, section, entries) : inserted(text, pair, entries);
  const after = asObject(parseDocument(added, { logLevel: 'error' }).toJS());
  if (isDeepStrictEqual(after, { ...before, [section]: { ...there, ...entries } })) return added;
  throw new QuernError('config', `${section}: in ${FILE_NAME} is written in a form to which nothing can be added`, {
    hint: `write it with one entry per line, or add the proposed entries yourself`,
  });
}

const asObject = (value: unknown): Entries => (typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {});

const lines = (entries: Entries, indent: string): string =>
  Object.entries(entries)
    .map(([name, value]) => {
      const fields = typeof value === 'object' ? stringify(value, { lineWidth: 0 }).trimEnd().split('\n') : undefined;
      const written = fields === undefined ? ` ${JSON.stringify(value)}` : fields.map((field) => `\n${indent}  ${field}`).join('');
      return `${indent}${JSON.stringify(name)}:${written}\n`;
    })
    .join('');

function appended(text: string, section: string, entries: Entries): string {
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${end}${text.trim() === '' ? '' : '\n'}${section}:\n${lines(entries, '  ')}`;
}

/** Behind the last entry that the section has, as far in as that one. */
function inserted(text: string, { key, value }: Pair, entries: Entries): string {
  const map = isMap(value) && !value.flow && value.items.length > 0 ? value : undefined;
  const last = map === undefined ? endOf(key) : endOf(map);
  const lineEnd = text.indexOf('\n', Math.max(0, last - 1));
  const at = lineEnd === -1 ? text.length : lineEnd + 1;
  return `${text.slice(0, at)}${lineEnd === -1 ? '\n' : ''}${lines(entries, map === undefined ? '  ' : indentOf(text, map))}${text.slice(at)}`;
}

/** Returns where the value itself ends, before comments that follow it. */
const endOf = (node: unknown): number => {
  if (isMap(node) && !node.flow && node.items.length > 0) {
    const { key, value } = node.items.at(-1) as Pair; // there is one
    return value === null ? endOf(key) : endOf(value);
  }
  return (node as { readonly range?: readonly number[] | null } | null)?.range?.[1] ?? 0;
};

function indentOf(text: string, map: YAMLMap): string {
  const start = (map.items[0]?.key as { readonly range?: readonly number[] | null } | undefined)?.range?.[0] ?? 0;
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
}
