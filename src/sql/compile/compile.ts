// The translation of one text from end to end.

import { analyzeScript } from '../analyzer/index.ts';
import { bounded, TRUSTED } from '../base/bounds.ts';
import { explainPlan, planNames } from '../logical/explain.ts';
import type { LogicalPlan } from '../logical/nodes.ts';
import { fitToTables, shape } from '../optimizer/optimize.ts';
import type { TranslateOptions, Translation } from '../translation.ts';
import { compile } from './analyzed.ts';
import { wantedScript } from './wanted-script.ts';

/**
 * Translates one BigQuery query (with its temporary functions) to a ClickHouse SELECT that returns the same rows.
 * Throws QuernError `syntax`, `unknown-function`, `unknown-column`, `unknown-source`, `type`, `unsupported`, `too-complex` or `parameter`,
 * each with the span of the offending text.
 */
export function translate(text: string, options: TranslateOptions = {}): Translation {
  return bounded(TRUSTED, { start: 0, end: text.length }, () => {
    const { results, ...wanted } = wantedScript(text, options);
    return { ...compile(wanted, analyzeScript(wanted.script, options), options, TRUSTED).translation, ...results };
  });
}

/** A logical plan on its way through the optimizer, as text: see logical/explain.ts. Columns have the same names in all of them. */
export interface LogicalSteps {
  readonly before: string;
  /** The plan after each rule that changed it. */
  readonly rules: readonly { readonly name: string; readonly plan: string }[];
}

/** Returns the plans that `translate` makes of the query before it writes ClickHouse SQL. Throws as `translate` does. */
export function explainLogical(text: string, options: TranslateOptions = {}): LogicalSteps {
  return bounded(TRUSTED, { start: 0, end: text.length }, () => {
    const { query, analysis } = analyzeScript(wantedScript(text, options).script, options);
    const names = planNames();
    const before = explainPlan(query, names);
    const rules: LogicalSteps['rules'][number][] = [];
    const after = ({ name }: { readonly name: string }, plan: LogicalPlan): void => {
      const now = explainPlan(plan, names);
      if (now !== (rules.at(-1)?.plan ?? before)) rules.push({ name, plan: now });
    };
    fitToTables(shape(query, analysis, after), analysis, after);
    return { before, rules };
  });
}
