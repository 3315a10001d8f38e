// What the page asks of quern/translate, which is loaded when the page is there.
import type * as Api from '../../translate.ts';
import type { ParameterType, Workspace } from './playground-address.ts';
import { parameterNames } from './sql-text.ts';

type Translator = typeof Api;

let loading: Promise<Translator> | undefined;

/** Rejects where it cannot be fetched. */
export function translator(): Promise<Translator> {
  loading ??= import('../../translate.ts');
  return loading;
}

export interface Looked {
  /** Undefined where the query is not translated. */
  readonly translation?: Api.Translation;
  readonly milliseconds: number;
  readonly findings: readonly Api.TextFinding[];
  /** What is wrong with the tables. */
  readonly tableError?: Api.TextFinding;
  /** Parameters that the text uses. */
  readonly parameters: readonly string[];
}

const scalar = (kind: string): Api.Type => ({ kind }) as Api.Type;

function typeOf(name: ParameterType): Api.Type {
  const [, element] = /^ARRAY<(.*)>$/.exec(name) ?? [];
  return element === undefined ? scalar(name) : ({ kind: 'ARRAY', element: scalar(element) } as Api.Type);
}

/** The options for what the page holds; the tables that can be read, or none. */
async function optionsOf({ sql, tables, parameters, product, values = {} }: Workspace): Promise<{
  readonly options: Api.TranslateOptions;
  readonly tableError?: Api.TextFinding;
}> {
  const { sourcesFrom, QuernError, positionAt } = await translator();
  const names = parameterNames(sql);
  const types = Object.fromEntries(names.map((name) => [name, typeOf(parameters[name] ?? 'STRING')]));
  if (product !== undefined) {
    const valued = names.flatMap((name) => (values[name] === undefined || values[name] === '' ? [] : [[name, values[name]] as const]));
    const given = valued.map(([name, value]) => [
      name,
      parameters[name]?.startsWith('ARRAY') ? value.split(',').map((one) => one.trim()) : value,
    ]);
    return { options: { parameters: types, for: product, values: Object.fromEntries(given) } };
  }
  try {
    return { options: { parameters: types, sources: sourcesFrom(tables), commentsFrom: 0 } };
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    const { span = { start: 0, end: tables.length }, hint } = error.details;
    const finding: Api.TextFinding = {
      severity: 'error',
      rule: error.code,
      message: error.message,
      span,
      ...positionAt(tables, span.start),
      ...(hint === undefined ? {} : { hint }),
    };
    return { options: { parameters: types }, tableError: finding };
  }
}

export async function look(workspace: Workspace): Promise<Looked> {
  const { translate, lint, QuernError } = await translator();
  const { options: given, tableError } = await optionsOf(workspace);
  const common = { parameters: parameterNames(workspace.sql), ...(tableError === undefined ? {} : { tableError }) };
  if (/^\s*$/.test(workspace.sql)) return { ...common, findings: [], milliseconds: 0 };
  const { options, notes } = await withAssumedTables(workspace, given);
  const findings = [...notes, ...lint(workspace.sql, options)];
  const startedAt = performance.now();
  try {
    const translation = translate(workspace.sql, options);
    return { ...common, findings, translation, milliseconds: performance.now() - startedAt };
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    return { ...common, findings, milliseconds: 0 };
  }
}

/** Adds tables that the text reads and nobody has declared, as far as it says what they are, and a note of each. */
async function withAssumedTables({ sql, product }: Workspace, options: Api.TranslateOptions) {
  const { assumeTables, positionAt, QuernError } = await translator();
  if (product !== undefined) return { options, notes: [] };
  try {
    const { sources, tables } = assumeTables(sql, options);
    const notes = tables.map(
      ({ name, text, span }): Api.TextFinding => ({
        severity: 'note',
        rule: 'assumed-table',
        message: `${name} is not among the tables, so its columns are assumed: ${text || 'none'}`,
        hint: 'to be certain, paste what SHOW CREATE TABLE prints',
        span,
        ...positionAt(sql, span.start),
      }),
    );
    return { options: { ...options, sources }, notes };
  } catch (error) {
    if (error instanceof QuernError) return { options, notes: [] }; // the text cannot be read: its findings say so
    throw error;
  }
}

/** The logical plan, or undefined where the query is not translated. */
export async function planOf(workspace: Workspace): Promise<{ readonly written: string; readonly optimized: string } | undefined> {
  const { explain, QuernError } = await translator();
  const { options } = await withAssumedTables(workspace, (await optionsOf(workspace)).options);
  try {
    return explain(workspace.sql, options);
  } catch (error) {
    if (error instanceof QuernError) return undefined;
    throw error;
  }
}

export async function completeIn(workspace: Workspace, offset: number): Promise<readonly Api.Suggestion[]> {
  const { complete } = await translator();
  return complete(workspace.sql, offset, (await optionsOf(workspace)).options);
}

/** The text laid out; undefined where it cannot be read. */
export async function formatted(sql: string): Promise<string | undefined> {
  const { format, QuernError } = await translator();
  try {
    return format(sql);
  } catch (error) {
    if (error instanceof QuernError) return undefined;
    throw error;
  }
}
