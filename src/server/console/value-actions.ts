// What can be done with a value of a record: show rows with it or without it, among those that came; or ask the server for it.
import type { ConsoleEndpoint } from './contract.ts';
import type { Cell } from './exact-json.ts';
import { type Filter, fieldText, withChoice } from './filter.ts';
import { plainText } from './shown-text.ts';

interface ValueAction {
  readonly label: string;
  readonly act: () => void;
}

/** What can be done with a field's value; its path has no places in lists. */
export type ActionsOf = (path: readonly string[], value: Cell) => readonly ValueAction[];

/** The same actions, with something done before and after each. */
export const alsoDoing =
  (actionsOf: ActionsOf, { before, after }: { readonly before?: () => void; readonly after?: () => void }): ActionsOf =>
  (path, value) =>
    actionsOf(path, value).map(({ label, act }) => ({
      label,
      act() {
        before?.();
        act();
        after?.();
      },
    }));

interface ValueActionsOptions {
  readonly subject: Pick<ConsoleEndpoint, 'parameters'>;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  /** Runs the query with another value of a parameter. */
  readonly onParameter: (name: string, text: string) => void;
}

/** A parameter that has the field's name takes its value. */
export function valueActions(
  path: readonly string[],
  value: Cell,
  { subject, filter, onFilter, onParameter }: ValueActionsOptions,
): readonly ValueAction[] {
  const text = fieldText(path, value);
  const choice = (kind: 'only' | 'without', label: string, undo: string): ValueAction => ({
    label: filter[kind].includes(text) ? undo : label,
    act: () => onFilter(withChoice(filter, kind, text)),
  });
  const own = plainText(value);
  const takers = subject.parameters.filter(
    ({ name, array, pinned, enum: allowed }) =>
      own !== '' &&
      !array &&
      pinned === undefined &&
      [path.at(-1), path.join('_')].includes(name) &&
      (allowed === undefined || allowed.map(String).includes(own)),
  );
  return [
    choice('only', 'Show only these', 'Show the others too'),
    choice('without', 'Leave these out', 'Show these too'),
    ...takers.map(({ name }) => ({ label: `Run with ${name} = ${own.slice(0, 60)}`, act: () => onParameter(name, own) })),
  ];
}
