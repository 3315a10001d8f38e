// Which of the rows that came are shown: those with a text, those with a value in a field, those without one. The server is not asked.
import { type Cell, exactJson, isFields, isList } from './exact-json.ts';
import type { Column, Rows } from './rows.ts';
import { plainText } from './shown-text.ts';

/** A field with its value is written `metadata.request.method="GET"`: its path without the places in lists, and the value as JSON. */
export interface Filter {
  /** Case does not count. */
  readonly find: string;
  readonly only: readonly string[];
  readonly without: readonly string[];
}

export const NO_FILTER: Filter = { find: '', only: [], without: [] };

export const isFiltering = ({ find, only, without }: Filter): boolean => find.trim() !== '' || only.length > 0 || without.length > 0;

export const fieldText = (path: readonly string[], value: Cell): string => `${path.join('.')}=${exactJson(value)}`;

/** The same rows where nothing is filtered. */
export function filtered(rows: Rows, filter: Filter): Rows {
  if (!isFiltering(filter)) return rows;
  const word = filter.find.trim().toLowerCase();
  return { ...rows, rows: rows.rows.filter((row) => fits(row, rows.columns, filter, word)) };
}

function fits(row: readonly Cell[], columns: readonly Column[], { only, without }: Filter, word: string): boolean {
  const held = new Set<string>();
  const chooses = only.length > 0 || without.length > 0;
  let found = word === '';
  const look = (path: readonly string[], cell: Cell): void => {
    if (isFields(cell)) for (const [name, inner] of cell.fields) look([...path, name], inner);
    else if (isList(cell)) for (const inner of cell) look(path, inner);
    else {
      if (chooses) held.add(fieldText(path, cell));
      found ||= plainText(cell).toLowerCase().includes(word);
    }
  };
  for (const [i, { name }] of columns.entries()) look([name], row[i] ?? null);
  return found && only.every((wanted) => held.has(wanted)) && !without.some((unwanted) => held.has(unwanted));
}

/** With a field's value shown alone, or left out; a choice that was made already is undone. */
export function withChoice(filter: Filter, kind: 'only' | 'without', text: string): Filter {
  const rest = { ...filter, only: filter.only.filter((one) => one !== text), without: filter.without.filter((one) => one !== text) };
  return filter[kind].includes(text) ? rest : { ...rest, [kind]: [...rest[kind], text] };
}
