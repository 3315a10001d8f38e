// The parameter `selectedFields` of tables.get and tabledata.list.

/** Returns the columns that an address wants: all where it says nothing. A column is wanted as a whole where a field in it is. */
export function selectedFields<T extends { readonly name: string }>(columns: readonly T[], query: unknown): readonly T[] {
  const { selectedFields: text } = query as Readonly<Record<string, unknown>>;
  if (typeof text !== 'string' || text === '') return columns;
  const wanted = new Set(text.split(',').map((path) => path.trim().split('.')[0]?.toLowerCase()));
  return columns.filter(({ name }) => wanted.has(name.toLowerCase()));
}
