// Random expressions of a type. Each call is made from its signature, so that the query is right and what is asked is the value.
import type { Random } from '../../../src/cli/demo/random.ts';
import { arrayOf, INT64, INTERVAL, JSON_TYPE, type ScalarName, STRING, structOf, type Type } from '../../../src/sql/base/types.ts';
import type { Pattern } from '../../../src/sql/functions/signature.ts';
import { literal, quoted } from '../literal.ts';
import { atom, compound, type Expression, type Node, operand } from '../tree.ts';
import { formatFor, formatOf, intervalUnits, parsePair, partsOf } from './parts.ts';
import { poolOf } from './pools.ts';
import { type Production, productions } from './productions.ts';
import { anyValue } from './values.ts';

export interface Scope {
  readonly columns: readonly Expression[];
  /** Small numbers and short texts only. */
  readonly mild?: boolean;
  /** The column of texts of JSON; undefined where there is none. */
  readonly json?: string | undefined;
}

type Binding = Map<string, Type>;

const GENERIC: readonly ScalarName[] = [
  'INT64',
  'INT64',
  'FLOAT64',
  'STRING',
  'STRING',
  'BOOL',
  'DATE',
  'TIMESTAMP',
  'NUMERIC',
  'BYTES',
  'DATETIME',
  'TIME',
  'BIGNUMERIC',
];
/** Parameters whose arguments are constants in most queries, and in some functions must be. */
const CONSTANT = /^(?:zone|regexp|path|replacement|delimiters?|characters|digits|like|mode)$/;
const LIKE = ['a%', '%b', '%', '_', '', 'a\\\\%b', '%é%', 'A%', '__', '%_', 'abc', '%\\\\_%', '😀%', 'a\\\\\\\\b'];

export interface Expressions {
  /** A call of the production, with arguments as deep as `depth`; undefined where no argument fits. */
  call(production: Production, scope: Scope, depth: number): Expression | undefined;
  expression(type: Type, scope: Scope, depth: number): Expression;
}

export function expressions(random: Random): Expressions {
  const anyType = (): Type => ({ kind: random.pick(GENERIC) });

  function bound(pattern: Pattern, binding: Binding): Type | undefined {
    switch (pattern.kind) {
      case 'type':
        return pattern.type;
      case 'variable': {
        const type = binding.get(pattern.name) ?? anyType();
        binding.set(pattern.name, type);
        return type;
      }
      case 'array': {
        const element = bound(pattern.element, binding);
        return element === undefined || element.kind === 'ARRAY' ? undefined : arrayOf(element);
      }
      case 'struct': {
        const fields = pattern.fields.map((f) => ({ name: f.name, type: bound(f.pattern, binding) }));
        return fields.some((f) => f.type === undefined) ? undefined : structOf(fields.map((f) => ({ name: f.name, type: f.type as Type })));
      }
      case 'any':
        return anyType();
      default:
        return undefined;
    }
  }

  function leaf(type: Type, scope: Scope): Expression {
    const fitting = scope.columns.filter((column) => sameKind(column.type, type));
    if (fitting.length > 0 && random.chance(0.75)) return random.pick(fitting);
    return constant(type, scope);
  }

  function constant(type: Type, { mild = false }: Partial<Scope> = {}): Expression {
    if (type.kind === 'INTERVAL' && random.chance(0.5)) return interval(intervalUnits('', 'DATETIME'));
    const value = anyValue(random, type, { mild });
    const text = literal(type, value);
    return text.startsWith('-') ? compound(type, text) : atom(type, text);
  }

  function interval(units: readonly string[], scope?: Scope): Expression {
    const unit = random.pick(units);
    const count = atom(INT64, String(random.pick([0, 1, 2, 3, 5, 12, 13, 30, 45, 90, 400, 1000, -1, -3, -40])));
    const column = scope?.columns.filter(({ type }) => type.kind === 'INT64') ?? [];
    return compound(INTERVAL, 'INTERVAL ', operand(column.length > 0 && random.chance(0.3) ? random.pick(column) : count), ` ${unit}`);
  }

  function argument(production: Production, at: number, binding: Binding, scope: Scope, depth: number): Node | undefined {
    const { name, signature } = production;
    const parameter = signature.parameters[Math.min(at, signature.parameters.length - 1)];
    if (parameter === undefined) return undefined;
    const { pattern } = parameter;
    if (pattern.kind === 'lambda') return lambda(pattern, binding, scope, depth);
    const first = signature.parameters.find((p) => p.pattern.kind === 'type')?.pattern;
    const firstKind = first?.kind === 'type' ? first.type.kind : undefined;
    if (pattern.kind === 'part') return { parts: [random.pick(partsOf(name, firstKind))] };
    const type = bound(pattern, binding);
    if (type === undefined) return undefined;
    if (type.kind === 'INTERVAL' && /^(?:amount|width|step)$/.test(parameter.name)) return interval(intervalUnits(name, firstKind), scope);
    if (parameter.name === 'format') return atom(STRING, quoted(formatOf(random, name)));
    if (parameter.name === 'like') return random.chance(0.8) ? atom(STRING, `'${random.pick(LIKE)}'`) : expression(type, scope, 0);
    if (parameter.name === 'json' && type.kind === 'STRING') return jsonText(name, scope);
    const pool = poolOf(name, parameter.name, type);
    if (pool !== undefined && random.chance(CONSTANT.test(parameter.name) ? 0.92 : 0.6)) {
      const text = literal(type, random.chance(0.05) ? null : random.pick(pool));
      return text.startsWith('-') ? compound(type, text) : atom(type, text);
    }
    if (CONSTANT.test(parameter.name) && random.chance(0.7)) return constant(type, scope);
    return expression(type, scope, depth - 1);
  }

  /** Texts that are JSON, or surely none: of others the reference reads the beginning (docs/dialect.md). */
  function jsonText(name: string, scope: Scope): Expression {
    const { columns, json = 'json' in scope ? undefined : 'jx' } = scope;
    if (columns.length > 0 && json !== undefined && random.chance(0.5)) return atom(STRING, json);
    return atom(STRING, literal(STRING, random.chance(0.05) ? null : random.pick(poolOf(name, 'json', STRING) ?? ['{}'])));
  }

  function lambda(pattern: Extract<Pattern, { kind: 'lambda' }>, binding: Binding, scope: Scope, depth: number): Node | undefined {
    const names = ['e', 'at'].slice(0, pattern.parameters.length > 1 && random.chance(0.4) ? 2 : 1);
    const columns = names.map((name, i) => {
      const parameter = pattern.parameters[i];
      return parameter === undefined ? undefined : atom(bound(parameter, binding) ?? INT64, name);
    });
    const result = bound(pattern.result, binding);
    if (result === undefined) return undefined;
    const inner = {
      ...scope,
      columns: [...columns.filter((c) => c !== undefined), ...columns.filter((c) => c !== undefined), ...scope.columns.slice(0, 2)],
    };
    return { parts: [`${names.length === 1 ? names[0] : `(${names.join(', ')})`} -> `, expression(result, inner, Math.max(1, depth - 1))] };
  }

  function call(production: Production, scope: Scope, depth: number, wanted?: Binding): Expression | undefined {
    const { name, template, signature } = production;
    const binding: Binding = wanted ?? new Map();
    const made: Node[] = [];
    if (template === undefined && production.kind === 'syntax') return special(production, scope, depth, binding);
    if (name.startsWith('PARSE_') && signature.parameters[0]?.name === 'format') return parseCall(production, scope, depth, binding);
    for (const [at, parameter] of signature.parameters.entries()) {
      if (parameter.optional && random.chance(0.5)) break;
      const count = parameter.repeated ? (name === 'COUNT' ? 1 : 1 + random.below(3)) : 1;
      for (let i = 0; i < count; i++) {
        const node = argument(production, at, binding, scope, depth);
        if (node === undefined) return undefined;
        made.push(
          parameter.name === 'wide_number_mode' || parameter.name === 'stringify_wide_numbers'
            ? { parts: [`${parameter.name} => `, node] }
            : node,
        );
      }
    }
    const result = bound(signature.result, binding);
    if (result === undefined) return undefined;
    if (template !== undefined) {
      const inCall = /[([]\{0\}/.test(template);
      const parts = template.split(/\{(\d)\}/).map((text, i) => {
        const node = i % 2 === 1 ? made[Number(text)] : undefined;
        return node === undefined ? text : inCall || node.type === undefined ? node : operand(node as Expression);
      });
      return /^[A-Z_]+\(|^\[|^\(|END$|^STRUCT/.test(template) ? atom(result, ...parts) : compound(result, ...parts);
    }
    const safe =
      production.kind === 'function' && random.chance(0.2) && !/^(?:NET\.|SAFE_|COALESCE|IFNULL|NULLIF|ARRAY_|TO_JSON|LEAST)/.test(name)
        ? 'SAFE.'
        : '';
    return atom(result, `${safe}${name}(`, ...made.flatMap((node, i) => (i === 0 ? [node] : [', ', node])), ')');
  }

  function parseCall({ name, signature }: Production, scope: Scope, depth: number, binding: Binding): Expression | undefined {
    const [format, text] = parsePair(random, name);
    const value = random.chance(0.85) ? atom(STRING, quoted(text)) : expression(STRING, scope, depth - 1);
    const zone =
      signature.parameters.length > 2 && random.chance(0.3)
        ? [', ', atom(STRING, quoted(String(random.pick(poolOf(name, 'zone', STRING) ?? ['UTC']))))]
        : [];
    const result = bound(signature.result, binding);
    return result && atom(result, `${random.chance(0.4) ? 'SAFE.' : ''}${name}(`, atom(STRING, quoted(format)), ', ', value, ...zone, ')');
  }

  function special({ name, signature }: Production, scope: Scope, depth: number, binding: Binding): Expression | undefined {
    const [parameter] = signature.parameters;
    const type = parameter && bound(parameter.pattern, binding);
    if (type === undefined) return undefined;
    const value = expression(type, scope, depth - 1);
    if (name === 'EXTRACT') {
      const zone =
        type.kind === 'TIMESTAMP' && random.chance(0.3)
          ? ` AT TIME ZONE ${quoted(String(random.pick(poolOf(name, 'zone', STRING) ?? ['UTC'])))}`
          : '';
      return atom(INT64, `EXTRACT(${random.pick(partsOf(name, type.kind))} FROM `, value, `${zone})`);
    }
    if (name === 'FORMAT') {
      const format = quoted(formatFor(random, type.kind));
      // The reference takes a text up to its first zero byte.
      const shown = type.kind === 'STRING' ? atom(STRING, 'REPLACE(', value, ", '\\x00', '')") : value;
      return atom(STRING, `FORMAT(${format}, `, shown, ')');
    }
    return atom(JSON_TYPE, "JSON_OBJECT('k', ", value, ", 'é', ", expression(anyType(), scope, depth - 1), ')');
  }

  /** Productions whose result may be of the type, with what their variables then are. */
  function producing(type: Type): { readonly production: Production; readonly binding: Binding } | undefined {
    for (let tries = 0; tries < 40; tries++) {
      const production = random.pick(productions());
      if (production.kind === 'aggregate' || production.kind === 'window') continue;
      const binding: Binding = new Map();
      if (unify(production.signature.result, type, binding)) return { production, binding };
    }
    return undefined;
  }

  function expression(type: Type, scope: Scope, depth: number): Expression {
    if (depth <= 0 || random.chance(0.25)) return leaf(type, scope);
    const found = producing(type);
    return (found && call(found.production, scope, depth, found.binding)) ?? leaf(type, scope);
  }

  return { call: (production, scope, depth) => call(production, scope, depth), expression };
}

const sameKind = (a: Type, b: Type): boolean =>
  a.kind === b.kind && (a.kind !== 'ARRAY' || b.kind !== 'ARRAY' || sameKind(a.element, b.element));

function unify(pattern: Pattern, type: Type, binding: Binding): boolean {
  switch (pattern.kind) {
    case 'type':
      return sameKind(pattern.type, type);
    case 'variable':
      if (type.kind === 'ARRAY' || type.kind === 'STRUCT') return false;
      binding.set(pattern.name, type);
      return true;
    case 'array':
      return type.kind === 'ARRAY' && unify(pattern.element, type.element, binding);
    default:
      return false;
  }
}
