// What the SQL page knows of a text without asking: the parameters that it names.
import type { ConsoleParameter } from './contract.ts';

/** A text, a comment or a quoted name, in which nothing is a parameter; or a parameter. */
const TOKEN =
  /'''[\s\S]*?'''|"""[\s\S]*?"""|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`\n]*`|--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|@@\w+|@([A-Za-z_]\w*)/g;

/** In the order of the text, each once, as it is written first. */
export function parameterNames(sql: string): readonly string[] {
  const found = new Map<string, string>();
  for (const [, name] of sql.matchAll(TOKEN)) if (name !== undefined && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), name);
  return [...found.values()];
}

const SCALARS: readonly ConsoleParameter['type'][] = [
  'string',
  'integer',
  'float',
  'boolean',
  'timestamp',
  'date',
  'datetime',
  'time',
  'numeric',
  'bytes',
  'json',
];

const LIST = 'array of ';

/** As headers write them. */
export const TYPE_TEXTS: readonly string[] = [...SCALARS, 'array of string', 'array of integer'];

/** Names that tell of a time are times unless something else is chosen. */
const TIMES = /(?:^|_)(?:start|end|from|to|since|until|after|before|at|time)(?:_|$)/i;

/** Stands before the type of a parameter that is NULL. */
const NULL = 'null ';

export const isNull = (name: string, types: Readonly<Record<string, string>>): boolean => types[name]?.startsWith(NULL) === true;

/** Returns the types with another for one parameter. */
export const withType = (
  types: Readonly<Record<string, string>>,
  name: string,
  { type = typeOf(name, types), isNull: none = isNull(name, types) }: { readonly type?: string; readonly isNull?: boolean },
): Readonly<Record<string, string>> => ({ ...types, [name]: `${none ? NULL : ''}${type}` });

export function typeOf(name: string, types: Readonly<Record<string, string>>): string {
  const chosen = types[name]?.replace(NULL, '');
  if (chosen !== undefined && TYPE_TEXTS.includes(chosen)) return chosen;
  return TIMES.test(name) ? 'timestamp' : 'string';
}

/** The parameters of a text; `types` has those that were chosen. */
export const parametersOf = (sql: string, types: Readonly<Record<string, string>>): readonly ConsoleParameter[] =>
  parameterNames(sql).map((name) => {
    const text = typeOf(name, types);
    const type = SCALARS.find((one) => one === text.replace(LIST, '')) ?? 'string';
    return { name, type, array: text.startsWith(LIST), required: !isNull(name, types) };
  });
