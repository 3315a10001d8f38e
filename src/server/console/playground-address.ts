// What the playground holds, as the part of its address behind `#`: a link to it is a link to the text. Servers never see it.

export const PARAMETER_TYPES = ['STRING', 'INT64', 'FLOAT64', 'BOOL', 'TIMESTAMP', 'DATE', 'ARRAY<STRING>', 'ARRAY<INT64>'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

export interface Held {
  readonly sql: string;
  /** CREATE TABLE statements. */
  readonly tables: string;
  /** Types of parameters by name, where they are not texts. */
  readonly parameters: Readonly<Record<string, ParameterType>>;
}

/** Undefined where the address holds no text. */
export function readHeld(hash: string): Held | undefined {
  const search = new URLSearchParams(hash.replace(/^#/, ''));
  const sql = search.get('sql');
  if (sql === null) return undefined;
  const parameters: Record<string, ParameterType> = Object.create(null);
  for (const given of search.getAll('parameter')) {
    const [, name = '', type] = /^(\w+):(.*)$/s.exec(given) ?? [];
    const known = PARAMETER_TYPES.find((one) => one === type);
    if (known !== undefined) parameters[name] = known;
  }
  return { sql, tables: search.get('tables') ?? '', parameters };
}

export function writeHeld({ sql, tables, parameters }: Held): string {
  const search = new URLSearchParams({ sql });
  if (tables.trim() !== '') search.set('tables', tables);
  for (const [name, type] of Object.entries(parameters)) if (type !== 'STRING') search.append('parameter', `${name}:${type}`);
  return `#${search}`;
}
