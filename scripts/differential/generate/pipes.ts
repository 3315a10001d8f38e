// Queries of several pipe steps. The reference does not know pipes: for it each step is a SELECT from the one before.
import { INT64, type Type } from '../../../src/sql/base/types.ts';
import { atom, type Expression, type Node } from '../tree.ts';
import { type Making, PLAIN } from './names.ts';
import type { Place } from './relations.ts';
import type { Scalars } from './scalar.ts';

type Text = readonly (string | Node)[];

interface Step {
  readonly pipe: Text;
  /** The same, of the query before. */
  readonly around: (before: Node) => Text;
}

interface Parts {
  readonly scalar: Scalars;
  readonly select: (types: readonly Type[], place: Place) => Node;
}

/** Makes a query with the columns c0, c1, … of the types. */
export function pipes({ random }: Making, { scalar, select }: Parts): (types: readonly Type[], place: Place) => Node {
  return (types, place) => {
    const own = types.map((type, at) => atom(type, `c${at}`));
    let columns: readonly Expression[] = own;
    let extended = 0;
    const nameOf = (column: Expression): string => String(column.parts[0]);
    const value = (type: Type): Expression => scalar.value(type, { columns, depth: 1, calls: true });
    const condition = (): Expression => scalar.condition({ columns, depth: 1, calls: true });
    const all = (): string => columns.map(nameOf).join(', ');
    const from =
      (list: Text, more: Text = []) =>
      (before: Node): Text => ['SELECT ', ...list, ' FROM (', before, ')', ...more];

    const steps: readonly (() => Step)[] = [
      () => {
        const only = condition();
        return { pipe: ['WHERE ', only], around: from(['*'], [' WHERE ', only]) };
      },
      () => {
        const type = random.pick(PLAIN);
        const [made, name] = [value(type), `e${extended++}`];
        columns = [...columns, atom(type, name)];
        return { pipe: ['EXTEND ', made, ` AS ${name}`], around: from(['*, ', made, ` AS ${name}`]) };
      },
      () => {
        const of = random.pick(columns);
        const made = value(of.type);
        return { pipe: [`SET ${nameOf(of)} = `, made], around: from(['* REPLACE (', made, ` AS ${nameOf(of)})`]) };
      },
      () => {
        const more = columns.slice(own.length);
        if (more.length === 0) return { pipe: ['DISTINCT'], around: from(['DISTINCT *']) };
        const dropped = random.pick(more);
        columns = columns.filter((c) => c !== dropped);
        if (random.chance(0.5)) return { pipe: [`DROP ${nameOf(dropped)}`], around: from([`* EXCEPT (${nameOf(dropped)})`]) };
        const name = `e${extended++}`;
        columns = [...columns, atom(dropped.type, name)];
        return {
          pipe: [`RENAME ${nameOf(dropped)} AS ${name}`],
          around: from([`* EXCEPT (${nameOf(dropped)}), ${nameOf(dropped)} AS ${name}`]),
        };
      },
      () => {
        const keys = columns.filter(() => random.chance(0.5));
        const calls = columns
          .filter((c) => !keys.includes(c))
          .map((c) => `${random.pick(['MIN', 'MAX', 'MAX', c.type.kind === 'INT64' ? 'SUM' : 'MIN'])}(${nameOf(c)}) AS ${nameOf(c)}`);
        const count = `e${extended++}`;
        const before = columns;
        columns = [...own.filter((c) => before.includes(c)), ...before.slice(own.length), atom(INT64, count)];
        calls.push(`COUNT(*) AS ${count}`);
        const by = keys.length === 0 ? '' : ` GROUP BY ${keys.map(nameOf).join(', ')}`;
        return {
          pipe: [`AGGREGATE ${calls.join(', ')}${by}`],
          around: from([[...keys.map(nameOf), ...calls].join(', ')], [by]),
        };
      },
      () => {
        const query = select(types, { ...place, depth: 0 });
        const word = random.pick(['UNION ALL', 'UNION DISTINCT', 'EXCEPT DISTINCT', 'INTERSECT DISTINCT']);
        columns = own;
        const list = all();
        return {
          pipe: [`SELECT ${list} |> ${word} (`, query, ')'],
          around: (before) => [`(SELECT ${list} FROM (`, before, `)) ${word} (`, query, ')'],
        };
      },
      () => {
        const rows = 1 + random.below(4);
        const list = all();
        return { pipe: [`ORDER BY ${list} |> LIMIT ${rows}`], around: from(['*'], [` ORDER BY ${list} LIMIT ${rows}`]) };
      },
    ];

    const base = select(types, place);
    let standard = base;
    const written: (string | Node)[] = ['FROM (', base, ')'];
    for (let i = 1 + random.below(4); i > 0; i--) {
      const { pipe, around } = random.pick(steps)();
      written.push(' |> ', ...pipe);
      standard = { parts: around(standard) };
    }
    const list = own.map(nameOf).join(', ');
    return { parts: [...written, ` |> SELECT ${list}`], reference: [`SELECT ${list} FROM (`, standard, ')'], instead: [base] };
  };
}
