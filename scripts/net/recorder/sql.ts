// Stands in for the translator's door where the net collects the texts of test files, and writes down what goes through it.
import * as sql from '../../../src/sql/index.ts';
import type { TranslateOptions } from '../../../src/sql/translation.ts';

export * from '../../../src/sql/index.ts';

export interface Recorded {
  readonly text: string;
  /** A caller's query in place of the SELECT of `text`. */
  readonly callers?: string;
  readonly options: TranslateOptions;
}

let recorded: Recorded[] = [];

export function takeRecorded(): readonly Recorded[] {
  const taken = recorded;
  recorded = [];
  return taken;
}

const recording =
  <Rest extends readonly unknown[], T>(ask: (text: string, options?: TranslateOptions, ...rest: Rest) => T) =>
  (text: string, options: TranslateOptions = {}, ...rest: Rest): T => {
    recorded.push({ text, options });
    return ask(text, options, ...rest);
  };

export const translate = recording(sql.translate);
export const translateSpecializable = recording(sql.translateSpecializable);
export const explainLogical = recording(sql.explainLogical);
export const explainBuckets = recording(sql.explainBuckets);

export const translateSandboxed: typeof sql.translateSandboxed = (text, callers, options = {}, more = {}) => {
  recorded.push({ text, callers, options });
  return sql.translateSandboxed(text, callers, options, more);
};
