// Random whole queries whose rows hang on the data alone.
import type { Random } from '../../../src/cli/demo/random.ts';
import { INT64, type Type } from '../../../src/sql/base/types.ts';
import type { Argument } from '../outcome.ts';
import { atom, EMPTY, listOf, type Node, operand, optional, textOf } from '../tree.ts';
import { aggregates } from './aggregates.ts';
import { groupings } from './grouping.ts';
import { otherForm } from './more-forms.ts';
import { type Making, PLAIN, type Relation, type WithTable } from './names.ts';
import { pipes } from './pipes.ts';
import { type Place, relations } from './relations.ts';
import { scalars } from './scalar.ts';
import type { Windows } from './windows.ts';

export interface Generated {
  readonly query: Node;
  readonly ordered: boolean;
  /** The same rows in any order, where the order is fixed. */
  readonly unordered?: Node;
}

/** Makes a relation out of a table under a name of its own. */
export type Readable = (alias: string, random: Random) => Relation;

export function generateQuery(random: Random, readables: readonly Readable[], args: readonly Argument[]): Generated {
  if (random.chance(0.06)) return { query: otherForm(random), ordered: false };
  let names = 0;
  const name = (): string => `q${++names}`;
  const withTables: WithTable[] = [];
  const making: Making = { random, name, args, withTables, tables: readables.map((readable) => () => readable(name(), random)) };
  const table = (): Relation => random.pick(making.tables)();
  const scalar = scalars(making, table);
  const calls = aggregates(making, scalar);
  const { grouped, groupingSets } = groupings(making, scalar, calls);
  const { from } = relations(making, { table, scalar, select });
  const piped = pipes(making, { scalar, select });
  const someTypes = (most: number): readonly Type[] => Array.from({ length: 1 + random.below(most) }, () => random.pick(PLAIN));

  /** A SELECT, or several, with the columns c0, c1, … of the types. */
  function select(types: readonly Type[], place: Place): Node {
    if (place.depth > 0 && random.chance(0.06)) return piped(types, { ...place, depth: place.depth - 1 });
    if (place.depth > 0 && random.chance(0.15)) return setOperation(types, { ...place, depth: place.depth - 1 });
    const of = from(place);
    const seen = { columns: of.columns, depth: 2 };
    const where = random.chance(0.5) ? optional(' WHERE ', scalar.condition(seen)) : EMPTY;
    const form = random.weighted([
      ['plain', 5],
      ['grouped', 4],
      ['window', 3],
      ['sets', 1],
    ]);
    if (form === 'grouped') return grouped(types, of, where);
    if (form === 'sets') return groupingSets(types, of, where);
    const windows = calls.windows({ columns: of.columns, depth: 1 }, of.key, form === 'window');
    const items = types.map((type, at): Node => {
      const item = form === 'window' && random.chance(0.7) ? windowed(type, windows) : scalar.value(type, seen);
      return { parts: [item, ` AS c${at}`] };
    });
    const distinct = random.chance(0.15) ? optional('DISTINCT ') : EMPTY;
    const qualify =
      form === 'window' && random.chance(0.3)
        ? optional(' QUALIFY ', calls.windows({ columns: of.columns, depth: 0 }, of.key).call(INT64), ' <= 2')
        : EMPTY;
    const order = ` ORDER BY ${types.map((_, at) => `c${at}`).join(', ')}`;
    const limited = place.depth < 3 && random.chance(0.12);
    const limit = limited ? optional(`${order} LIMIT ${1 + random.below(4)}`) : EMPTY;
    const list = listOf(items);
    const standard = ['SELECT ', distinct, list, ' FROM ', of.node, where, qualify, windows.clause, limit];
    if (windows.clause !== EMPTY || distinct !== EMPTY || qualify !== EMPTY || !random.chance(0.08)) return { parts: standard };
    // As a pipe, which the reference does not know.
    const steps = [' |> SELECT ', list, textOf(limit) === '' ? '' : ` |>${textOf(limit).replace(' LIMIT', ' |> LIMIT')}`];
    return { parts: ['FROM ', of.node, textOf(where) === '' ? '' : ' |>', where, ...steps], reference: standard };
  }

  /** A call over a window, or what is computed of two. */
  function windowed(type: Type, { call }: Windows): Node {
    return random.chance(0.8) ? call(type) : scalar.value(type, { columns: [call(type), call(INT64), call(type)], depth: 2, calls: true });
  }

  function setOperation(types: readonly Type[], place: Place): Node {
    const op = random.pick([' UNION ALL ', ' UNION ALL ', ' UNION DISTINCT ', ' INTERSECT DISTINCT ', ' EXCEPT DISTINCT ']);
    const [a, b] = [select(types, place), select(types, place)];
    if (types.length > 1 && random.chance(0.15)) {
      // Columns by name, in another order on the other side.
      const turned = types.map((_, at) => `c${types.length - 1 - at}`).join(', ');
      const other: Node = { parts: [`SELECT ${turned} FROM (`, b, ')'] };
      return { parts: ['(', a, ')', op.trimEnd(), ' BY NAME (', other, ')'], reference: ['(', a, ')', op, '(', b, ')'], instead: [a, b] };
    }
    return { parts: ['(', a, ')', op, '(', b, ')'], instead: [a, b] };
  }

  function withClause(): Node {
    const tables: Node[] = [];
    const recursive = random.chance(0.2);
    for (let i = 1 + random.below(2); i > 0; i--) {
      const of = `w${withTables.length}`;
      if (recursive && i === 1) {
        const types = [INT64, ...someTypes(2)];
        tables.push(recursion(of, types, withTables));
        withTables.push({ name: of, types });
        continue;
      }
      const types = someTypes(3);
      tables.push({ parts: [`${of} AS (`, select(types, { depth: 1, withTables: [...withTables] }), ')'] });
      withTables.push({ name: of, types });
    }
    return optional(recursive ? 'WITH RECURSIVE ' : 'WITH ', listOf(tables), ' ');
  }

  /** A table that reads itself, with a number that grows. */
  function recursion(of: string, types: readonly Type[], before: readonly WithTable[]): Node {
    const itself = name();
    const columns = types.map((type, at) => atom(type, `${itself}.c${at}`));
    const [number, ...others] = columns;
    if (number === undefined) throw new RangeError('a recursive table has a number');
    const other = random.chance(0.3) ? table() : undefined;
    const joined =
      other === undefined ? '' : [` ${random.pick(['JOIN', 'LEFT JOIN'])} `, other.node, ' ON ', scalar.joining(columns, other.columns)];
    const seen = { columns: [...columns, ...(other?.columns ?? [])], depth: 1 };
    const items = others.map((column): readonly (string | Node)[] => [', ', random.chance(0.5) ? column : scalar.value(column.type, seen)]);
    const more = random.chance(0.3) ? optional(' AND ', operand(scalar.condition({ ...seen, depth: 0 }))) : EMPTY;
    return {
      parts: [
        `${of} AS ((`,
        select(types, { depth: 0, withTables: [...before] }),
        `) UNION ${random.pick(['ALL', 'DISTINCT'])} (SELECT `,
        number,
        ` + ${1 + random.below(2)}`,
        ...items.flat(),
        ` FROM ${of} AS ${itself}`,
        ...joined,
        ' WHERE ',
        number,
        ` BETWEEN -2 AND 2`,
        more,
        '))',
      ],
    };
  }

  const clause = random.chance(0.25) ? withClause() : EMPTY;
  const types = someTypes(4);
  const body = select(types, { depth: 2, withTables });
  const ordered = random.chance(0.3);
  if (!ordered) return { query: { parts: [clause, body] }, ordered };
  const by = types.map((_, at) => `c${at}${random.pick(['', ' DESC', ' ASC NULLS LAST', ' DESC NULLS FIRST'])}`).join(', ');
  const limit = random.chance(0.4) ? optional(` LIMIT ${1 + random.below(5)}${random.pick(['', ' OFFSET 1'])}`) : EMPTY;
  const whole: Node = { parts: [clause, 'SELECT * FROM (', body, ') ORDER BY ', by, limit] };
  return { query: whole, ordered, unordered: { parts: [clause, body] } };
}
