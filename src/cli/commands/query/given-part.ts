// The names of parameters that are parts of another's value: see readGivenValue.

export const partName = (name: string, part: number): string => `quern_${name}__${part}`;

/** Returns the parameter that `name` is a part of. */
export const wholeOf = (name: string): string | undefined => /^quern_(.+)__\d+$/.exec(name)?.[1];
