// JSONPath as BigQuery's JSON functions read it.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#JSONPath_format

/** A key of an object or a 0-based position in an array. */
export type JsonStep = string | number;

/**
 * The steps of a path, or undefined if it is none. Legacy functions (JSON_EXTRACT…) write keys in brackets, `['key']`, the others as `."key"`.
 */
export function parseJsonPath(path: string, legacy: boolean): readonly JsonStep[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const steps: JsonStep[] = [];
  let rest = path.slice(1);
  while (rest !== '') {
    const step = (legacy ? legacyStep(rest) : quotedStep(rest)) ?? plainStep(rest);
    if (step === undefined) return undefined;
    steps.push(step.value);
    rest = rest.slice(step.length);
  }
  return steps;
}

/** A path with its mode, `lax $.a` or `lax recursive $.a`; undefined for one without. */
export function parseLaxPath(path: string): { readonly recursive: boolean; readonly steps: readonly JsonStep[] | undefined } | undefined {
  const [, words = '', rest = ''] = /^\s*((?:[a-z]+\s*)+)(\$.*)$/is.exec(path) ?? [];
  const modes = words.trim().toLowerCase().split(/\s+/).sort().join(' ');
  if (modes !== 'lax' && modes !== 'lax recursive') return undefined;
  return { recursive: modes !== 'lax', steps: parseJsonPath(rest, false) };
}

interface Step {
  readonly value: JsonStep;
  readonly length: number;
}

const unquote = (text: string, quote: string): string => text.replaceAll(`\\${quote}`, quote).replaceAll('\\\\', '\\');

function legacyStep(rest: string): Step | undefined {
  const quoted = /^\['((?:[^'\\]|\\.)*)'\]/.exec(rest);
  if (quoted !== null) return { value: unquote(quoted[1] ?? '', "'"), length: quoted[0].length };
  const bare = /^\[([A-Za-z_][^\]'"]*)\]/.exec(rest);
  return bare === null ? undefined : { value: bare[1] ?? '', length: bare[0].length };
}

function quotedStep(rest: string): Step | undefined {
  const quoted = /^\."((?:[^"\\]|\\.)*)"/.exec(rest);
  return quoted === null ? undefined : { value: unquote(quoted[1] ?? '', '"'), length: quoted[0].length };
}

function plainStep(rest: string): Step | undefined {
  const position = /^\[\s*(\d+)\s*\]/.exec(rest);
  if (position !== null) return { value: Number(position[1]), length: position[0].length };
  const key = /^\.([^.[\]"'\s$*@?()]+)/.exec(rest);
  if (key === null) return undefined;
  return { value: key[1] ?? '', length: key[0].length };
}
