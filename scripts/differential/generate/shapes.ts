// Relations of forms of their own: PIVOT, UNPIVOT, arrays that may be NULL, tables of tables.
import { arrayOf, INT64, STRING, type Type } from '../../../src/sql/base/types.ts';
import { literal } from '../literal.ts';
import { atom, type Expression, leaf, type Node, optional } from '../tree.ts';
import { type Making, ofArray, PLAIN, type Relation } from './names.ts';
import type { Place } from './relations.ts';
import type { Scalars } from './scalar.ts';
import { anyValue } from './values.ts';

interface Parts {
  readonly table: () => Relation;
  readonly scalar: Scalars;
  readonly select: (types: readonly Type[], place: Place) => Node;
}

/** Makes a relation of one of the forms; nothing where none fits. */
export function shapes({ random, name }: Making, { table, scalar, select }: Parts): (place: Place) => Relation | undefined {
  const constants = (type: Type, number: number): readonly string[] => [
    ...new Set(Array.from({ length: number }, () => literal(type, anyValue(random, type, { mild: true, nulls: 0.05 })))),
  ];

  function pivot(place: Place): Relation {
    const alias = name();
    const by = random.pick([INT64, STRING, STRING]);
    const rest = random.chance(0.6) ? [random.pick(PLAIN)] : [];
    const types = [by, INT64, ...rest];
    const wanted = constants(by, 3).map((text, at) => ({ text, as: `p${at}` }));
    const several = random.chance(0.3);
    const [call, more] = [random.pick(['SUM', 'MAX', 'COUNT', 'MIN']), random.pick(['COUNT(*)', 'COUNT(DISTINCT c1)'])];
    const list = wanted.map(({ text, as }) => `${text} AS ${as}`).join(', ');
    const calls = several ? `${call}(c1) AS m, ${more} AS n` : `${call}(c1)${random.pick(['', ' AS m'])}`;
    const prefixes = several ? ['m_', 'n_'] : [calls.endsWith(' AS m') ? 'm_' : ''];
    return {
      node: { parts: ['(SELECT * FROM (', select(types, place), `) PIVOT(${calls} FOR c0 IN (${list}))) AS ${alias}`] },
      columns: [
        ...wanted.flatMap(({ as }) => prefixes.map((prefix) => atom(INT64, `${alias}.${prefix}${as}`))),
        ...rest.map((type) => atom(type, `${alias}.c2`)),
      ],
      key: undefined,
    };
  }

  function unpivot(place: Place): Relation {
    const alias = name();
    const type = random.pick(PLAIN);
    const other = random.pick(PLAIN);
    const nulls = random.pick(['', ' INCLUDE NULLS', ' EXCLUDE NULLS']);
    if (random.chance(0.3)) {
      const types = [type, other, type, other];
      return {
        node: {
          parts: [
            '(SELECT * FROM (',
            select(types, place),
            `) UNPIVOT${nulls}((v, w) FOR n IN ((c0, c1) AS 1, (c2, c3) AS 2))) AS ${alias}`,
          ],
        },
        columns: [atom(type, `${alias}.v`), atom(other, `${alias}.w`), atom(INT64, `${alias}.n`)],
        key: undefined,
      };
    }
    const names = random.pick(['c0, c1', "c0 AS 'x', c1 AS 'y'"]);
    return {
      node: { parts: ['(SELECT * FROM (', select([type, type, other], place), `) UNPIVOT${nulls}(v FOR n IN (${names}))) AS ${alias}`] },
      columns: [atom(type, `${alias}.v`), atom(STRING, `${alias}.n`), atom(other, `${alias}.c2`)],
      key: undefined,
    };
  }

  /** Arrays that are NULL for some rows, beside another column. */
  function nullArrays(): Relation | undefined {
    const of = table();
    const arrays = ofArray(of.columns, 'INT64');
    const alias = name();
    const inside = { columns: of.columns, depth: 1 };
    const forms: (() => readonly (string | Node)[])[] = [
      () => ['ARRAY_AGG(', scalar.value(INT64, inside), ' IGNORE NULLS ORDER BY ', of.key?.join(', ') ?? '1', ')'],
    ];
    if (arrays.length > 0)
      forms.push(
        () => ['IF(', scalar.condition(inside), ', NULL, ', random.pick(arrays), ')'],
        () => ['CASE WHEN ', scalar.condition(inside), ' THEN ', random.pick(arrays), ' END'],
        () => ['ARRAY(SELECT x + 1 FROM UNNEST(', random.pick(arrays), ') AS x WHERE x > 0)'],
        () => ['ARRAY_CONCAT(', random.pick(arrays), ', ', random.pick(arrays), ')'],
      );
    if (of.key === undefined && forms.length === 1) return undefined;
    const array = random.pick(forms)();
    const grouped = String(array[0]).startsWith('ARRAY_AGG');
    const type = random.pick(PLAIN);
    const beside = of.columns.filter((c) => c.type.kind === type.kind);
    const other = beside.length === 0 ? scalar.value(type, { columns: [], depth: 0 }) : random.pick(beside);
    const where = optional(' WHERE ', scalar.condition(inside));
    const tail = grouped ? ' GROUP BY c1' : '';
    return {
      node: { parts: ['(SELECT ', ...array, ' AS c0, ', other, ' AS c1 FROM ', of.node, where, `${tail}) AS ${alias}`] },
      columns: [atom(arrayOf(INT64), `${alias}.c0`), atom(arrayOf(INT64), `${alias}.c0`), atom(type, `${alias}.c1`)],
      key: undefined,
    };
  }

  /** A WITH clause of a subquery's own, which may hide one of the query's. */
  function ownWith(place: Place): Relation {
    const alias = name();
    const of = random.pick(['w0', name()]);
    const types = [random.pick(PLAIN), random.pick(PLAIN)];
    const inner = select(types, place);
    const columns = (of: string): readonly Expression[] => types.map((type, at) => atom(type, `${of}.c${at}`));
    const where = optional(' WHERE ', scalar.condition({ columns: columns(of), depth: 1 }));
    const again = random.chance(0.4) ? optional(` UNION ALL SELECT * FROM ${of}`) : leaf('');
    return {
      node: { parts: [`(WITH ${of} AS (`, inner, `) SELECT * FROM ${of}`, where, again, `) AS ${alias}`] },
      columns: columns(alias),
      key: undefined,
    };
  }

  return (place) => random.pick([pivot, unpivot, nullArrays, nullArrays, ownWith])(place);
}
