// Texts that a table stores in a shorter form: UUIDs, addresses, and names of an Enum.
import type { ClickHouseType } from '../../../clickhouse/type.ts';
import { STRING } from '../../base/types.ts';
import { ref } from '../../logical/build.ts';
import type { Column, Expr } from '../../logical/nodes.ts';
import { call } from '../build.ts';
import type { StoredForm } from './form.ts';

export function textForm(type: ClickHouseType, stored: () => Column): StoredForm | undefined {
  const of = textTypeOf(type);
  if (of === undefined) return undefined;
  return {
    compared({ name, value }, at) {
      const held = name === '$equal' || name === '$not_equal' ? storedText(value, of, type.text) : undefined;
      return held === undefined ? undefined : call(name, [ref(stored(), at), held], at);
    },
    /** Tests for a list of literals, without those that no stored value equals. */
    listed(items, at) {
      // Addresses of 16 bytes have texts that only ClickHouse tells from others.
      if (of === 'IPv6' || !items.every((item) => item?.kind === 'literal' && item.value !== null)) return undefined;
      const held = items.flatMap((item) => (item === null ? [] : (storedText(item, of, type.text) ?? [])));
      return held.length === 0 ? undefined : call('$in_stored', [ref(stored(), at), ...held], at);
    },
    equals(text, at) {
      const column = ref(stored(), at);
      if (typeof of === 'string') return call('$reads_as', [column, text, textOf(of, at)], at);
      if (of.length > MOST_NAMES) return undefined;
      return call('$reads_as_member', [column, text, ...of.map((name) => textOf(name, at))], at);
    },
  };
}

/** More names would make the query much longer. */
const MOST_NAMES = 64;

type TextType = 'UUID' | 'IPv4' | 'IPv6' | readonly string[];

function textTypeOf({ name, args }: ClickHouseType): TextType | undefined {
  if (name === 'UUID' || name === 'IPv4' || name === 'IPv6') return name;
  if (!name.startsWith('Enum')) return undefined;
  const names = args.map(({ type: { text } }) => memberName(text));
  return names.every((one) => one !== undefined) ? names : undefined;
}

/** Matches the name in `'name' = 1`. */
function memberName(member: string): string | undefined {
  const [, name] = /^'((?:[^'\\]|\\['\\])*)' = -?\d+$/s.exec(member) ?? [];
  return name?.replace(/\\(.)/gs, '$1');
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

const WRITTEN: Readonly<Partial<Record<string, RegExp>>> = { UUID, IPv4: IPV4 };

/** Returns the constant that reads as this text, if the text is written like that. */
function storedText(value: Expr, of: TextType, type: string): Expr | undefined {
  if (value.kind !== 'literal' || typeof value.value !== 'string') return undefined;
  const text = value.value;
  // Members are compared by their names.
  if (typeof of !== 'string') return of.includes(text) ? value : undefined;
  const written = WRITTEN[of];
  return written?.test(text) === true ? asStored(text, type, value) : undefined;
}

const textOf = (value: string, { span }: Expr): Expr => ({ kind: 'literal', value, type: STRING, span });

/** Returns the text as a value of the stored type. */
export const asStored = (value: string, type: string, at: Expr): Expr =>
  call('$as_stored', [textOf(value, at), textOf(type, at)], at, STRING);
