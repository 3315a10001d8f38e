// Comparisons with values that are the same for all rows, and ORDER BY, use columns in their stored form, in which a key is found: see ../stored/.
import { bareType, readType } from '../../../clickhouse/type.ts';
import { splitConjunction } from '../../logical/build.ts';
import type { Expr, FunctionCall, LogicalPlan, Rel } from '../../logical/nodes.ts';
import { rewriteExpr } from '../../logical/walk.ts';
import { call, conjunction } from '../build.ts';
import { definitionOf, isConstantIn, shows } from '../column-origin.ts';
import { comparisonOf, type Wanted } from '../comparison.ts';
import type { Rule, RuleContext } from '../rule.ts';
import { type ScannedColumn, scannedColumns } from '../scanned-columns.ts';
import { dayForm, isDay, midnightForm } from '../stored/day.ts';
import type { StoredForm } from '../stored/form.ts';
import { numberForm } from '../stored/number.ts';
import { textForm } from '../stored/text.ts';
import { timeForm } from '../stored/time.ts';

export const compareStored: Rule = {
  name: 'compare-stored',
  changes(plan, context) {
    const forms = storedForms(plan, context);
    const days = scannedColumns(plan, isDay);
    if (forms.size === 0 && days.size === 0) return undefined;
    const formIn = (expr: Expr, input: Rel): StoredForm | undefined => {
      if (expr.kind === 'column' && forms.has(expr.column.id)) return shows(input, expr.column.id) ? forms.get(expr.column.id) : undefined;
      const text = expr.kind === 'column' ? definitionOf(expr.column.id, input) : expr;
      return text && (dayForm(text, (id) => days.has(id) && shows(input, id)) ?? midnightForm(text));
    };
    /** Orders by the column that a projection only renames. */
    const orderedForm = (value: Expr, input: Rel): StoredForm | undefined => {
      const made = value.kind === 'column' && !forms.has(value.column.id) ? definitionOf(value.column.id, input) : undefined;
      return made === undefined ? formIn(value, input) : orderedForm(made, input);
    };
    return {
      relations: {
        filter(rel) {
          const wanted: Wanted<StoredForm> = {
            find: (expr) => (expr == null ? undefined : formIn(expr, rel.input)),
            constant: (expr) => isConstantIn(expr, rel.input),
          };
          const exact = rewriteExpr(rel.condition, (expr) => (expr.kind === 'call' ? (ofStored(expr, wanted) ?? expr) : expr));
          const condition = whereTrue(exact, wanted);
          const implied = splitConjunction(rel.condition).flatMap((one) => impliedBy(one, wanted) ?? []);
          return condition === rel.condition && implied.length === 0 ? rel : { ...rel, condition: conjunction([condition, ...implied]) };
        },
        order_limit(rel) {
          const orderBy = rel.orderBy.map(
            (item, i) => orderedForm(item.value, rel.input)?.ordered?.(item, i === rel.orderBy.length - 1) ?? [item],
          );
          return orderBy.every(([first], i) => first === rel.orderBy[i]) ? rel : { ...rel, orderBy: orderBy.flat() };
        },
      },
    };
  },
};

/** Returns the columns that are shown in another form, by their ids. */
function storedForms(plan: LogicalPlan, context: RuleContext): ReadonlyMap<number, StoredForm> {
  const forms = new Map<number, StoredForm>();
  for (const [id, scanned] of scannedColumns(plan, ({ part, from }) => part.kind === 'whole' && from.read.layout === 'column')) {
    const form = timeForm(scanned, context) ?? valueForm(scanned, context);
    if (form !== undefined) forms.set(id, form);
  }
  return forms;
}

function valueForm({ scan, column: { type: shown }, from }: ScannedColumn, { scanColumn }: RuleContext): StoredForm | undefined {
  const { read } = from;
  if (read.layout !== 'column' || read.key !== undefined || (read.castTo ?? read.byParts) === undefined) return undefined;
  const type = bareType(readType(read.clickhouseType));
  const stored = () => scanColumn(scan, from, { kind: 'stored' }, shown);
  return shown.kind === 'STRING' ? textForm(type, stored) : numberForm(type, shown, stored);
}

/** Returns the comparison with the stored value: NULL, true and false for the same rows. */
function ofStored(expr: FunctionCall, wanted: Wanted<StoredForm>): Expr | undefined {
  if (expr.fn.name === '$in_list') return wanted.find(expr.args[0])?.listed?.(expr.args.slice(1), expr);
  const comparison = comparisonOf(expr, wanted);
  return comparison?.found.compared(comparison, expr);
}

/** Returns a condition on columns of the key that holds wherever `condition` does. */
function impliedBy(condition: Expr, wanted: Wanted<StoredForm>): Expr | undefined {
  if (condition.kind !== 'call') return undefined;
  if (condition.fn.name === '$or') {
    const [left, right] = condition.args;
    if (left == null || right == null) return undefined;
    const [one, other] = [left, right].map((side) => (wanted.constant(side) ? side : impliedBy(side, wanted)));
    if (one === undefined || other === undefined || (one === left && other === right)) return undefined;
    return call('$or', [one, other], condition);
  }
  const comparison = comparisonOf(condition, wanted);
  return comparison?.found.implied?.(comparison, condition);
}

/** Longer lists would make the query much longer. */
const MOST_TESTS = 64;

/** Returns a condition that is true for the same rows: elsewhere it may be false instead of NULL. */
function whereTrue(condition: Expr, wanted: Wanted<StoredForm>): Expr {
  if (condition.kind !== 'call') return condition;
  const { name } = condition.fn;
  if (name === '$and' || name === '$or') {
    const args = condition.args.map((arg) => (arg === null ? arg : whereTrue(arg, wanted)));
    return args.every((arg, i) => arg === condition.args[i]) ? condition : { ...condition, args };
  }
  if (name === '$in_list') {
    const [value, ...items] = condition.args;
    if (items.length > MOST_TESTS) return condition;
    const tests = items.map((item) => item && wanted.constant(item) && wanted.find(value)?.equals?.(item, condition));
    return tests.every((test) => typeof test === 'object' && test !== null)
      ? tests.reduce((all, test) => call('$or', [all, test], condition))
      : condition;
  }
  const comparison = name === '$equal' ? comparisonOf(condition, wanted) : undefined;
  return comparison?.found.equals?.(comparison.value, condition) ?? condition;
}
