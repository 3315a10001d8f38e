// The form of a saved query: a field per parameter, and what is sent of them.
import type { ConsoleEndpoint } from './contract.ts';
import { element } from './element.ts';
import { createField } from './field.ts';
import { relativeInstant, takesTime } from './relative-time.ts';
import type { Failure } from './server.ts';

type Values = Readonly<Record<string, readonly string[]>>;

interface QueryForm {
  readonly element: HTMLElement;
  /** As they stand in the form. */
  read(): Values;
  write(values: Values): void;
  /** Shows the problems that belong to fields, and gives the failure with what is left of them; undefined without a failure. */
  complain(failure: Failure | undefined): Failure | undefined;
}

export function queryForm({ parameters }: ConsoleEndpoint): QueryForm {
  const fields = parameters.map(createField);
  return {
    element: element('div', { class: 'fields' }, ...fields.map((field) => field.element)),
    read: () =>
      Object.fromEntries(
        fields.flatMap((field) => {
          const values = field.read();
          return values.length === 0 ? [] : [[field.parameter.name, values] as const];
        }),
      ),
    write(values) {
      for (const field of fields) field.write(values[field.parameter.name] ?? []);
    },
    complain(failure) {
      const problems = failure?.problems ?? [];
      let first = true;
      for (const field of fields) {
        const own = problems.filter(({ name }) => name === field.parameter.name);
        field.complain(own.length === 0 ? undefined : own.map(({ kind, message }) => sentence(kind, message)).join('; '));
        if (own.length > 0 && first) {
          field.focus();
          first = false;
        }
      }
      if (failure === undefined) return undefined;
      const rest = problems.filter(({ name }) => !fields.some(({ parameter }) => parameter.name === name));
      return { ...failure, problems: rest };
    },
  };
}

/** Of a parameter that is missing the server gives the description, which stands there already. */
const sentence = (kind: string, message: string): string => (kind === 'missing' ? 'is missing' : message);

/** What the server is sent: lists for arrays, instants for relative times. */
export function sentValues(
  { parameters }: Pick<ConsoleEndpoint, 'parameters'>,
  values: Values,
  nowMs: number,
): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    parameters.flatMap((parameter): (readonly [string, string | readonly string[]])[] => {
      const { name, array } = parameter;
      const given = values[name] ?? [];
      const [value] = given;
      if (value === undefined) return [];
      if (array) return [[name, given]];
      return [[name, (takesTime(parameter) ? relativeInstant(value, nowMs) : undefined) ?? value]];
    }),
  );
}
