// What the server is sent of the values in a form.
import type { ConsoleEndpoint } from './contract.ts';
import { relativeInstant, takesTime } from './relative-time.ts';

/** As they stand in the form, by parameter. */
export type Values = Readonly<Record<string, readonly string[]>>;

/** What the server is sent: lists for arrays, instants for relative times. */
export function sentValues(
  { parameters }: Pick<ConsoleEndpoint, 'parameters'>,
  values: Values,
  clockMs: number,
): Readonly<Record<string, string | readonly string[]>> {
  const instant = parameters.find((parameter) => parameter.instant === true);
  const nowMs = instantOf(instant && values[instant.name]?.[0], clockMs);
  return Object.fromEntries(
    parameters.flatMap((parameter): (readonly [string, string | readonly string[]])[] => {
      const { name, array } = parameter;
      const given = values[name] ?? [];
      const [value] = given;
      if (value === undefined) return [];
      if (array) return [[name, given]];
      return [[name, (takesTime(parameter) ? relativeInstant(value, parameter === instant ? clockMs : nowMs) : undefined) ?? value]];
    }),
  );
}

/** What counts as now for times that are relative to it. */
export function instantOf(text: string | undefined, clockMs = Date.now()): number {
  const ms = text === undefined ? Number.NaN : Date.parse(relativeInstant(text, clockMs) ?? text);
  return Number.isNaN(ms) ? clockMs : ms;
}
