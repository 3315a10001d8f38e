// Finds out whether rows of a result may share a value: an engine holds a constant, or a value that a join repeats, once, and counts it once.

import type { Type } from '../base/types.ts';
import type { Column, CteDefinition, Expr, LogicalPlan, Rel } from './nodes.ts';
import { eachChild } from './walk.ts';

/** The most characters of texts that may be repeated. */
const SHORT = 1000;

/** True unless each value of the result that may be large is certain to be a value of its own. */
export function mayShareValues(query: LogicalPlan): boolean {
  const ctes = new Map(query.ctes.map((cte) => [cte.id, cte]));
  return shares(query.rel, wideIds(query.outputs.map(({ column }) => column)), ctes);
}

type Ids = ReadonlySet<number>;

const wideIds = (columns: readonly Column[]): Ids => new Set(columns.filter(({ type }) => isWide(type)).map(({ id }) => id));

/** True if `wanted` columns of `rel` may hold shared values. */
function shares(rel: Rel, wanted: Ids, ctes: ReadonlyMap<number, CteDefinition>): boolean {
  if (wanted.size === 0) return false;
  switch (rel.kind) {
    case 'one_row':
    case 'source_scan':
    case 'aggregate': // builds each value
      return false;
    case 'cte_scan': {
      const cte = ctes.get(rel.cte);
      if (cte === undefined || cte.recursive) return true;
      return shares(cte.rel, wideIds(cte.columns.filter((_, at) => wanted.has(rel.columns[at]?.id ?? -1))), ctes);
    }
    case 'project': {
      const computed = rel.items.filter(({ column }) => wanted.has(column.id)).map(({ value }) => madeOf(value));
      if (rel.input.kind !== 'one_row' && computed.some(({ wideConstant }) => wideConstant)) return true;
      const passed = [...wanted].filter((id) => !rel.items.some(({ column }) => column.id === id));
      return shares(rel.input, new Set([...passed, ...computed.flatMap(({ columns }) => [...wideIds(columns)])]), ctes);
    }
    case 'window': {
      const passed = [...wanted].filter((id) => !rel.items.some(({ column }) => column.id === id));
      return shares(rel.input, new Set(passed), ctes);
    }
    case 'set_operation':
      return rel.inputs.some(({ rel: input, columns }) =>
        shares(input, wideIds(columns.filter((_, at) => wanted.has(rel.columns[at]?.id ?? -1))), ctes),
      );
    case 'unnest': {
      const made = new Set([rel.element, ...(rel.zipped ?? []).map(({ element }) => element)].map(({ id }) => id));
      return [...wanted].some((id) => !made.has(id));
    }
    case 'join':
      return true;
    case 'filter':
    case 'order_limit':
    case 'distinct':
    case 'gather':
      return shares(rel.input, wanted, ctes);
  }
}

/** The parts of a value. */
interface Made {
  /** The columns of the rows that it reads; not the parameters of lambdas in it. */
  readonly columns: readonly Column[];
  /** True if a part that may be large is the same in every row. */
  readonly wideConstant: boolean;
}

function madeOf(value: Expr): Made {
  const columns: Column[] = [];
  const own = new Set<number>();
  const look = (part: Expr): { readonly reads: boolean; readonly wideConstant: boolean } => {
    if (part.kind === 'column') {
      if (own.has(part.column.id)) return { reads: false, wideConstant: false };
      columns.push(part.column);
      return { reads: true, wideConstant: false };
    }
    if (part.kind === 'subquery') return { reads: true, wideConstant: isWide(part.type) };
    if (part.kind === 'lambda') for (const { id } of part.parameters) own.add(id);
    let reads = false;
    let wideConstant = false;
    eachChild(part, {
      expr: (child) => {
        const found = look(child);
        reads ||= found.reads;
        wideConstant ||= found.wideConstant;
      },
    });
    if (!isWide(part.type)) return { reads, wideConstant: false };
    const short = part.kind === 'literal' && String(part.value).length <= SHORT;
    return { reads, wideConstant: wideConstant || !(reads || short) };
  };
  const { wideConstant } = look(value);
  return { columns, wideConstant };
}

/** True of types without a bound on the size of their values. */
function isWide(type: Type): boolean {
  switch (type.kind) {
    case 'STRING':
    case 'BYTES':
    case 'JSON':
    case 'ARRAY':
    case 'RECORD':
    case 'DYNAMIC':
      return true;
    case 'STRUCT':
      return type.fields.some((field) => isWide(field.type));
    default:
      return false;
  }
}
