// What the playground holds, as the part of its address behind `#`: a link to it is a link to the text. Servers never see it.

export const PARAMETER_TYPES = ['STRING', 'INT64', 'FLOAT64', 'BOOL', 'TIMESTAMP', 'DATE', 'ARRAY<STRING>', 'ARRAY<INT64>'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

/** The products into whose editors the SQL may be pasted. */
export const PRODUCTS = { supabase: 'Supabase' } as const;
export type Product = keyof typeof PRODUCTS;

export interface Workspace {
  readonly sql: string;
  /** CREATE TABLE statements. */
  readonly tables: string;
  /** Types of parameters by name, where they are not texts. */
  readonly parameters: Readonly<Record<string, ParameterType>>;
  /** The product whose tables are read; those of `tables` where it is absent. */
  readonly product?: Product | undefined;
  /** Values of parameters by name, for a product: they stand in the SQL. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Undefined where the address holds no text. */
export function readWorkspace(hash: string): Workspace | undefined {
  const search = new URLSearchParams(hash.replace(/^#/, ''));
  const sql = search.get('sql');
  if (sql === null) return undefined;
  const parameters: Record<string, ParameterType> = Object.create(null);
  for (const given of search.getAll('parameter')) {
    const [, name = '', type] = /^(\w+):(.*)$/s.exec(given) ?? [];
    const known = PARAMETER_TYPES.find((one) => one === type);
    if (known !== undefined) parameters[name] = known;
  }
  const product = (Object.keys(PRODUCTS) as Product[]).find((one) => one === search.get('for')); // Object.keys only knows strings
  const values: Record<string, string> = Object.create(null);
  for (const given of search.getAll('value')) {
    const [, name = '', value = ''] = /^(\w+):(.*)$/s.exec(given) ?? [];
    if (name !== '') values[name] = value;
  }
  return { sql, tables: search.get('tables') ?? '', parameters, ...(product === undefined ? {} : { product, values }) };
}

export function writeWorkspace({ sql, tables, parameters, product, values = {} }: Workspace): string {
  const search = new URLSearchParams({ sql });
  if (tables.trim() !== '') search.set('tables', tables);
  for (const [name, type] of Object.entries(parameters)) if (type !== 'STRING') search.append('parameter', `${name}:${type}`);
  if (product !== undefined) {
    search.set('for', product);
    for (const [name, value] of Object.entries(values)) if (value !== '') search.append('value', `${name}:${value}`);
  }
  return `#${search}`;
}
