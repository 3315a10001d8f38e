// A value that is made when it is first asked for.

export interface Once<T> {
  (): Promise<T>;
  /** The value, if anybody has asked for it. */
  started(): Promise<T> | undefined;
}

export function once<T>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make();
    return made;
  };
  return Object.assign(get, { started: () => made });
}
