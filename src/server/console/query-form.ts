// The form of a saved query: a field per parameter, and what is sent of them.
import { visible } from '../../output/visible.ts';
import type { ConsoleEndpoint } from './contract.ts';
import { element } from './element.ts';
import { createField, type Field } from './field.ts';
import { instantOf, type Values } from './sent-values.ts';
import type { Failure } from './server.ts';

interface QueryForm {
  readonly element: HTMLElement;
  /** As they stand in the form. */
  read(): Values;
  write(values: Values): void;
  /** Shows the problems that belong to fields, and gives the failure with what is left of them; undefined without a failure. */
  complain(failure: Failure | undefined): Failure | undefined;
  /** Leaves one line of it, if it takes so much room that what came of a run would be out of sight, and nobody has opened it since. */
  fold(): void;
  unfold(): void;
}

/** Of the window's height, the part that a form may take beside a result. */
const MOST_ROOM = 0.18;

export function queryForm({ parameters }: ConsoleEndpoint): QueryForm {
  const instant = parameters.find((parameter) => parameter.instant === true);
  const now = (): number => instantOf(instant && fields.find(({ parameter }) => parameter === instant)?.read()[0]);
  const fields: readonly Field[] = parameters.map((parameter) => createField(parameter, parameter === instant ? Date.now : now));
  const words = element('span', { class: 'form-words' });
  const change = element('span', { class: 'form-change' }, 'Change');
  /** The reader has opened it, and so it stays. */
  let kept = false;
  const summary = element(
    'summary',
    {
      hidden: true,
      onclick: () => {
        kept = !box.open;
      },
    },
    words,
    change,
  );
  const box = element(
    'details',
    {
      class: 'form-box',
      open: true,
      ontoggle: () => {
        change.textContent = box.open ? 'Fold' : 'Change';
      },
    },
    summary,
    element(
      'div',
      {
        class: 'fields',
        oninput: ({ target }) => {
          const isInstant = target instanceof Node && fields.some((field) => field.parameter === instant && field.element.contains(target));
          if (isInstant) for (const field of fields) if (field.parameter !== instant) field.tell();
        },
      },
      ...fields.map((field) => field.element),
    ),
  );
  const read = (): Values =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const values = field.read();
        return values.length === 0 ? [] : [[field.parameter.name, values] as const];
      }),
    );
  const unfold = () => {
    summary.hidden = true;
    box.open = true;
  };
  return {
    element: box,
    read,
    unfold,
    fold() {
      if (!box.open || kept || box.offsetHeight < innerHeight * MOST_ROOM) return;
      const focused = box.contains(document.activeElement);
      const given = fields.flatMap(({ parameter: { name, pinned }, read: valuesOf }) => {
        const text = pinned ?? valuesOf().join(', ');
        return text === '' ? [] : [element('span', { class: 'form-word' }, element('b', {}, visible(name)), ` ${visible(text)}`)];
      });
      words.replaceChildren(...(given.length === 0 ? ['No parameter is set.'] : given));
      summary.hidden = false;
      box.open = false;
      // A field that is hidden would lose it.
      if (focused) summary.focus();
    },
    write(values) {
      for (const field of fields) field.write(values[field.parameter.name] ?? []);
      for (const field of fields) field.tell();
    },
    complain(failure) {
      const problems = failure?.problems ?? [];
      let first = true;
      for (const field of fields) {
        const own = problems.filter(({ name }) => name === field.parameter.name);
        field.complain(own.length === 0 ? undefined : own.map(({ kind, message }) => sentence(kind, message)).join('; '));
        if (own.length > 0 && first) {
          unfold();
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
