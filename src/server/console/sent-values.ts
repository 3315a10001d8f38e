// What the server is sent of the values in a form.
import type { ConsoleEndpoint } from './contract.ts';
import { relativeInstant, takesTime } from './relative-time.ts';

/** By parameter. */
export type Values = Readonly<Record<string, readonly string[]>>;

/** Of what was written into the fields, what is a value; the caller's key sets those that are pinned. */
export function enteredValues({ parameters }: Pick<ConsoleEndpoint, 'parameters'>, written: Values): Values {
  const isLine = (line: string) => line.trim() !== '';
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const { name, type, array, enum: allowed, pinned } = parameter;
      if (pinned !== undefined) return [];
      const trims = (array && type !== 'string' && allowed === undefined) || takesTime(parameter);
      const lines = array ? (written[name] ?? []).filter(isLine) : (written[name] ?? []).slice(0, 1);
      const values = lines.map((text) => (trims ? text.trim() : text)).filter((text) => text !== '');
      return values.length === 0 ? [] : [[name, values]];
    }),
  );
}

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
