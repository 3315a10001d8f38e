// The names under which columns and fields appear.

/**
 * One distinct name per column: unnamed ones become `f0_`, `f1_` … as BigQuery shows them, repeated ones get `_1`, `_2` ….
 */
export function columnNames(columns: readonly { readonly name: string | null }[]): readonly string[] {
  const taken = new Set(columns.map((column) => column.name));
  const seen = new Set<string>();
  /** The number at which to continue the search: a name that is taken stays taken. */
  const next = new Map<string, number>();
  const free = (key: string, first: number, name: (n: number) => string): string => {
    let n = next.get(key) ?? first;
    while (taken.has(name(n)) || seen.has(name(n))) n++;
    next.set(key, n + 1);
    return name(n);
  };
  return columns.map(({ name }) => {
    let unique = name ?? '';
    if (unique === '') unique = free('', 0, (n) => `f${n}_`);
    else if (seen.has(unique)) unique = free(unique, 1, (n) => `${name}_${n}`);
    seen.add(unique);
    return unique;
  });
}

/** Unnamed fields are `_field_1`, `_field_2` … by position, as BigQuery exports them. */
export function structFieldNames(fields: readonly { readonly name: string | null }[]): readonly string[] {
  return columnNames(fields.map(({ name }, i) => ({ name: name ?? `_field_${i + 1}` })));
}
