// The conditions under which a client takes a reply: encodings it understands, bytes it has already.
import type { Encoding } from '../answers/answer.ts';

/** Returns the smallest of br, gzip and identity that `Accept-Encoding` allows. */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (header === undefined || header === '') return 'identity';
  const qualities = new Map(
    header.split(',').map((part): [string, number] => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const given = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, given === undefined ? 1 : Number(given.slice(2))];
    }),
  );
  const allows = (name: string): boolean => (qualities.get(name) ?? qualities.get('*') ?? 0) > 0;
  return (['br', 'gzip'] as const).find(allows) ?? 'identity';
}

/** Returns whether `If-None-Match` names the tag, by the weak comparison that this header requires. */
export function alreadyHas(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** Returns the same function with a memory for its last few inputs, such as a header that clients hardly vary. */
export function remembering<K, T>(read: (input: K) => T, most = 100): (input: K) => T {
  const known = new Map<K, T>();
  return (input) => {
    const found = known.get(input);
    if (found !== undefined) return found;
    const value = read(input);
    if (known.size >= most) known.clear();
    known.set(input, value);
    return value;
  };
}
