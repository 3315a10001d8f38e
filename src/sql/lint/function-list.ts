// The functions of the dialect as data, for documentation and for editors.

import { findFunction, functionNames } from '../functions/index.ts';

export interface DialectFunction {
  /** The name in capitals, such as `NET.HOST`. */
  readonly name: string;
  readonly kind: 'function' | 'aggregate' | 'window';
  /**
   * `value STRING, [start INT64], ...rest STRING -> STRING`: arguments in brackets may be left out, `...` repeats, `T` and `U` are any type,
   * `PART` is a date part.
   */
  readonly signatures: readonly string[];
  /** How rows may differ from BigQuery's; absent where they do not. */
  readonly differs?: string;
}

/** Returns the functions that are translated, by name. */
export function dialectFunctions(): readonly DialectFunction[] {
  return [...functionNames()].sort().flatMap((name): readonly DialectFunction[] => {
    const definition = findFunction(name);
    if (definition === undefined) return [];
    const { kind, signature, approximate } = definition;
    const signatures = signature.split(' | ').map((one) => one.trim());
    return [{ name, kind, signatures, ...(approximate === undefined ? {} : { differs: approximate }) }];
  });
}
