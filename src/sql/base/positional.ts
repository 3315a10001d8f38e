// Positional parameters: each `?` of a text is a parameter whose name is its number.

const PREFIX = 'quern_positional_';

/** The name of the first `?` of a text is that of 1. */
export const positionalName = (position: number): string => `${PREFIX}${position}`;

/** Returns the number of the `?` that has this name; undefined for the name of an @parameter. */
export const positionOf = (name: string): number | undefined =>
  name.startsWith(PREFIX) && /^[1-9]\d*$/.test(name.slice(PREFIX.length)) ? Number(name.slice(PREFIX.length)) : undefined;

/** The parameter as messages call it: `@name`, or `parameter 2`, which is the second `?`. */
export function calledParameter(name: string): string {
  const position = positionOf(name);
  return position === undefined ? `@${name}` : `parameter ${position}`;
}
