// Turns variables of DECLARE into parameters that callers may set; the value of the DECLARE is used for a parameter that is not given.
import { parse, type Script } from '../sql/index.ts';
import { type FoundParameter, PARAMETER_TYPES } from './find-parameters.ts';

type Statement = Script['statements'][number];
type Declaration = Extract<Statement, { readonly kind: 'declare' }>;
type Assignment = Extract<Statement, { readonly kind: 'set' }>;

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Writes `DECLARE day DATE DEFAULT CURRENT_DATE()` as `DECLARE day DATE DEFAULT IFNULL(@day, CURRENT_DATE())`, so that nothing changes for callers who give no
 * `day`. Leaves as they are variables of types that no parameter has, those that are set more than once, several of one DECLARE, and names
 * that are parameters already. Throws QuernError `syntax` for a text that cannot be parsed.
 */
export function declaresAsParameters(
  sql: string,
  taken: readonly string[] = [],
): { readonly sql: string; readonly parameters: readonly FoundParameter[] } {
  const { statements } = parse(sql);
  const used = new Set(taken.map((name) => name.toLowerCase()));
  const changes: Change[] = [];
  const parameters: FoundParameter[] = [];
  for (const declaration of statements.filter((one) => one.kind === 'declare')) {
    const [variable] = declaration.names;
    const type = PARAMETER_TYPES[declaration.type?.name ?? ''];
    if (variable === undefined || type === undefined || declaration.names.length > 1 || used.has(variable.name.toLowerCase())) continue;
    if (!/^[A-Za-z_]\w*$/.test(variable.name)) continue;
    const value = onlyValue(declaration, statements);
    if (value === undefined) continue;
    const { start, end } = value.span;
    changes.push({ start, end, text: `IFNULL(@${variable.name}, ${sql.slice(start, end)})` });
    parameters.push({ name: variable.name, type });
  }
  const changed = changes
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: made }) => text.slice(0, start) + made + text.slice(end), sql);
  return { sql: changed, parameters };
}

/** Returns the value of a variable that never has another one. */
function onlyValue({ names: [variable], value }: Declaration, statements: readonly Statement[]): Assignment['value'] | undefined {
  const isVariable = ({ name }: { readonly name: string }): boolean => name.toLowerCase() === variable?.name.toLowerCase();
  const sets = statements.filter((one): one is Assignment => one.kind === 'set' && one.names.some(isVariable));
  const [set] = sets;
  if (set === undefined) return value ?? undefined;
  return value === null && sets.length === 1 && !set.each ? set.value : undefined;
}
