// A range of time that queries share: from, to, and what counts as now. Where a query has a parameter for a part of it, that
// parameter holds the part; the rest waits in the address for the queries that have one.
import type { Address, Range } from './address.ts';
import type { ConsoleEndpoint } from './contract.ts';
import { takesTime } from './relative-time.ts';

type Part = keyof Range;
const PARTS: readonly Part[] = ['from', 'to', 'asOf'];

const WORDS: Readonly<Record<'from' | 'to', ReadonlySet<string>>> = {
  from: new Set(['start', 'from', 'since', 'after', 'begin']),
  to: new Set(['end', 'to', 'until', 'before']),
};

/** The parameters for the parts; none for a part that several could mean. */
export function partsOf(endpoint: Pick<ConsoleEndpoint, 'parameters'> | undefined): Readonly<Partial<Record<Part, string>>> {
  const free = endpoint?.parameters.filter(({ pinned }) => pinned === undefined) ?? [];
  const times = free.filter((parameter) => parameter.instant !== true && takesTime(parameter));
  const named = (part: 'from' | 'to') =>
    times.filter(({ name }) => name.split(/[_.-]/).some((word) => WORDS[part].has(word.toLowerCase())));
  const [from, to] = [named('from'), named('to')];
  const instant = free.find((parameter) => parameter.instant === true);
  return {
    ...(from.length === 1 && from[0] !== undefined ? { from: from[0].name } : {}),
    ...(to.length === 1 && to[0] !== undefined ? { to: to[0].name } : {}),
    ...(instant === undefined ? {} : { asOf: instant.name }),
  };
}

/** The range that an address holds, in parameters and beside them. */
export function rangeOf(endpoint: ConsoleEndpoint | undefined, { values, range }: Address): Range {
  const names = partsOf(endpoint);
  return Object.fromEntries(
    PARTS.flatMap((part) => {
      const name = names[part];
      const text = name === undefined ? range[part] : values[name]?.[0];
      return text === undefined || text === '' ? [] : [[part, text]];
    }),
  );
}

/** The address with another range. */
export function withRange(endpoint: ConsoleEndpoint | undefined, address: Address, wanted: Range): Address {
  const names = partsOf(endpoint);
  const own = new Set(Object.values(names));
  const given = PARTS.flatMap((part) => {
    const [name, text] = [names[part], wanted[part]];
    return name === undefined || text === undefined ? [] : [[name, [text]] as const];
  });
  const values = Object.entries(address.values).filter(([name]) => !own.has(name));
  const rest = PARTS.flatMap((part) => (names[part] === undefined && wanted[part] !== undefined ? [[part, wanted[part]]] : []));
  return { ...address, values: Object.fromEntries([...values, ...given]), range: Object.fromEntries(rest) };
}

/** In few words; empty where nothing is chosen. */
export function rangeText({ from, to, asOf }: Range): string {
  const until = to && (from === undefined ? `until ${to}` : `to ${to}`);
  const start = from && (to === undefined ? `from ${from}` : from);
  const window = [start, until].filter(Boolean).join(' ');
  return [window, asOf !== undefined && `as of ${asOf}`].filter(Boolean).join(', ');
}
