// Examines one draft: by its text alone, by translating it, and for ClickHouse SQL by asking the engine.

import { QuernError } from '../base/errors.ts';
import { positionAt, type SourceText } from '../base/source-text.ts';
import { topicOf } from '../clickhouse/errors.ts';
import { type PrepareDependencies, type PreparedQuery, prepareQuery } from '../execution/prepared-query.ts';
import { parseSavedQuery } from '../queries/header/header.ts';
import { referencesOf } from '../queries/references.ts';
import { absentCallsOf, fidelityNotesOf, parse, type Script } from '../sql/index.ts';

export interface Trouble {
  readonly code: QuernError['code'];
  readonly message: string;
  readonly hint?: string | undefined;
  /** In the file that is written, or in that of another query it reads. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Asks the engine how it would go about ClickHouse SQL, which quern does not translate. Throws as a run does. */
export type AskEngine = (prepared: PreparedQuery) => Promise<unknown>;

export interface Attempt {
  readonly trouble?: Trouble;
  readonly note?: string;
}

/** Nothing is written, and no rows are read. */
export async function tryDraft(source: SourceText, name: string, deps: PrepareDependencies, askEngine?: AskEngine): Promise<Attempt> {
  try {
    const prepared = await prepareQuery(parseSavedQuery(source, name), deps);
    return prepared.dialect === 'clickhouse' && askEngine !== undefined ? await tried(prepared, askEngine) : {};
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    return { trouble: troubleOf(error.in(source)) };
  }
}

/** Errors that say nothing about the query. */
const ENGINES_OWN: readonly QuernError['code'][] = ['unreachable', 'busy', 'timeout', 'limit', 'config'];

async function tried(prepared: PreparedQuery, askEngine: AskEngine): Promise<Attempt> {
  try {
    await askEngine(prepared);
    return {};
  } catch (error) {
    if (!(error instanceof QuernError) || error.code === 'interrupted') throw error;
    if (error.code === 'parameter') return {}; // it wants values, which only its callers have
    if (ENGINES_OWN.includes(error.code)) return { note: `it was not tried on the engine: ${error.message}` };
    const trouble = troubleOf(error);
    const topic = topicOf(error.details.engineCode);
    return { trouble: topic === 'table' || topic === 'database' ? { ...trouble, code: 'unknown-source' } : trouble };
  }
}

function troubleOf({ code, message, details: { hint, span, source, problems = [] } }: QuernError): Trouble {
  const all = problems.map((problem) => `; ${problem.kind}: ${problem.name} ${problem.message}`).join('');
  return {
    code,
    message: `${message}${all}`,
    hint,
    ...(span === undefined || source === undefined ? {} : { file: source.name, ...positionAt(source.text, span.start) }),
  };
}

interface Look {
  readonly tables: readonly string[];
  readonly differences: readonly string[];
  /** The table or view that its last statement would write: quern gives the rows, and writes nothing. */
  readonly fills?: string | undefined;
  /** A function that is refused whatever the tables are. */
  readonly absent?: Trouble;
}

/** Examines a text that can be parsed. */
export function look(source: SourceText, name: string): Look {
  const { name: file, text } = source;
  try {
    if (parseSavedQuery(source, name).dialect === 'clickhouse') return { tables: [], differences: [] };
    const script = parse(text);
    const [absent] = absentCallsOf(script);
    return {
      tables: tablesOf(script),
      fills: script.creates?.name,
      differences: fidelityNotesOf(script).flatMap(({ rows, construct, note, span }) => {
        const { line, column } = positionAt(text, span.start);
        return rows === 'differs' && note !== undefined ? [`${line}:${column}: ${construct}: ${note}`] : [];
      }),
      ...(absent === undefined
        ? {}
        : {
            absent: {
              code: 'unsupported',
              message: `${absent.name} is not translated: ${absent.reason}`,
              hint: absent.instead,
              file,
              ...positionAt(text, absent.span.start),
            },
          }),
    };
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    return { tables: [], differences: [] };
  }
}

/** Returns the names in FROM of a text; none of one that cannot be parsed. */
export function tableNames(text: string): readonly string[] {
  try {
    return tablesOf(parse(text));
  } catch (error) {
    if (error instanceof QuernError) return [];
    throw error;
  }
}

/** The names in FROM, but those of arrays of a table that stands before them: `from orders as o, o.items`. */
function tablesOf(script: Script): readonly string[] {
  const names = [...new Set(referencesOf(script).tables.map(({ name }) => name))];
  const tables = new Set([...aliasesIn(script), ...names.flatMap((name) => name.split('.').at(-1)?.toLowerCase() ?? [])]);
  return names.filter((name) => !name.includes('.') || !tables.has(name.split('.')[0]?.toLowerCase() ?? ''));
}

function aliasesIn(tree: unknown): readonly string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const { alias } = tree as { readonly alias?: { readonly name?: unknown } | null };
  const own = typeof alias?.name === 'string' ? [alias.name.toLowerCase()] : [];
  return [...own, ...Object.values(tree).flatMap(aliasesIn)];
}
