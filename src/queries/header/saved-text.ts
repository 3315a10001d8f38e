// The text of a saved query that is made of SQL which somebody has tried out: the SQL below a header that declares its parameters.

interface SavedTextOptions {
  readonly description: string;
  readonly sql: string;
  readonly parameters: readonly {
    readonly name: string;
    /** As YAML, such as `array of string`. */
    readonly type: string;
    /** As YAML. */
    readonly default?: string | undefined;
  }[];
}

/** Returns the whole file. A header is a comment, whose end nothing in it may contain. */
export function savedText({ description, sql, parameters }: SavedTextOptions): string {
  const params = parameters.map(
    ({ name, type, default: fallback }) => `  ${name}: { type: ${type}${fallback === undefined ? '' : `, default: ${fallback}`} }\n`,
  );
  return `/*---
description: ${description}
max_rows: 1000
cache: disabled
${params.length === 0 ? '' : `params:\n${params.join('').replaceAll('*/', '*\\/')}`}---*/
${endedText(sql)}`;
}

/** The text with one line break at its end. */
export const endedText = (sql: string): string => `${sql.trim()}\n`;
