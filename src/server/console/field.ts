// One field of the form: a parameter with its label, what it takes, and what the server says is wrong with it.
import type { ConsoleParameter } from './contract.ts';
import { element } from './element.ts';
import type { Input } from './input.ts';
import { takesTime } from './relative-time.ts';
import { timeInput } from './time-input.ts';

export interface Field extends Pick<Input, 'read' | 'write'> {
  readonly parameter: ConsoleParameter;
  readonly element: HTMLElement;
  /** Undefined when nothing is wrong. */
  complain(message: string | undefined): void;
  focus(): void;
  /** Says again what a relative time is at present. */
  tell(): void;
}

/** `now`: milliseconds since 1970, to which times are relative. */
export function createField(parameter: ConsoleParameter, now: () => number): Field {
  const { name, required, pinned } = parameter;
  const id = `p-${name}`;
  const input = pinned === undefined ? inputFor(parameter, id, now) : pinnedInput(pinned, id);
  const grouped = input.controls.length !== 1;
  const error = element('p', { id: `${id}-error`, class: 'field-error', hidden: true });
  const about = element('p', { id: `${id}-about`, class: 'hint' }, aboutText(parameter));
  const caption = [
    element('span', { class: 'field-name' }, name),
    ' ',
    element('span', { class: 'field-type' }, typeText(parameter)),
    required && ' ',
    required && element('span', { class: 'field-required' }, 'required'),
  ];
  const describedBy = `${id}-error ${id}-about`;
  const box = grouped
    ? element('fieldset', { class: 'field', 'aria-describedby': describedBy }, element('legend', { class: 'label' }, ...caption))
    : element('div', { class: 'field' }, element('label', { for: id, class: 'label' }, ...caption));
  box.append(input.element, error);
  if (about.textContent !== '') box.append(about);
  if (!grouped) {
    input.controls[0]?.setAttribute('aria-describedby', describedBy);
    if (required) input.controls[0]?.setAttribute('aria-required', 'true');
  }
  return {
    parameter,
    element: box,
    read: () => (pinned === undefined ? input.read() : []),
    write: (values) => {
      if (pinned === undefined) input.write(values);
    },
    complain(message) {
      error.hidden = message === undefined;
      error.textContent = message ?? '';
      for (const control of input.controls) {
        if (message === undefined) control.removeAttribute('aria-invalid');
        else control.setAttribute('aria-invalid', 'true');
      }
    },
    focus: () => input.controls[0]?.focus(),
    tell: () => input.tell?.(),
  };
}

function typeText({ type, array, format }: ConsoleParameter): string {
  return `${array ? 'array of ' : ''}${type}${format === undefined ? '' : ` (${format})`}`;
}

function aboutText({ description, default: fallback, pinned }: ConsoleParameter): string {
  const parts = [
    description,
    pinned === undefined ? undefined : 'set by your key',
    pinned !== undefined || fallback === undefined ? undefined : `default: ${[fallback].flat().join(', ')}`,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

function inputFor(parameter: ConsoleParameter, id: string, now: () => number): Input {
  const { type, array, enum: allowed } = parameter;
  if (array) return allowed === undefined ? linesInput(parameter, id) : checkboxes(allowed.map(String), id);
  if (allowed !== undefined) return choiceInput(allowed.map(String), id, parameter.required);
  if (type === 'boolean') return choiceInput(['true', 'false'], id, parameter.required);
  if (takesTime(parameter)) return timeInput(id, now, placeholder(parameter));
  return textInput(parameter, id);
}

function placeholder({ example }: ConsoleParameter): string | undefined {
  return example === undefined ? undefined : `such as ${example}`;
}

function pinnedInput(value: string, id: string): Input {
  const made = element('input', { id, value, disabled: true });
  return { controls: [made], element: made, read: () => [], write: () => undefined };
}

function textInput(parameter: ConsoleParameter, id: string): Input {
  const numeric: Readonly<Record<string, string>> = { integer: 'numeric', float: 'decimal' };
  const made = element('input', {
    id,
    type: parameter.type === 'date' ? 'date' : 'text',
    inputmode: numeric[parameter.type],
    placeholder: placeholder(parameter),
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    list: parameter.suggest === undefined ? undefined : `${id}-known`,
  });
  if (parameter.suggest === undefined) return single(made);
  const known = element('datalist', { id: `${id}-known` }, ...parameter.suggest.map((value) => element('option', { value })));
  return { ...single(made), element: element('div', {}, made, known) };
}

function single(made: HTMLInputElement | HTMLSelectElement): Input {
  return {
    controls: [made],
    element: made,
    read: () => (made.value === '' ? [] : [made.value]),
    write: ([value = '']) => {
      made.value = value;
    },
  };
}

function choiceInput(choices: readonly string[], id: string, required: boolean): Input {
  const made = element(
    'select',
    { id },
    element('option', { value: '' }, required ? 'Choose…' : 'Not set'),
    ...choices.map((choice) => element('option', { value: choice }, choice)),
  );
  return {
    ...single(made),
    write: ([value = '']) => {
      // What an address says is kept, so that the server can say what it thinks of it.
      if (value !== '' && !choices.includes(value)) made.append(element('option', { value }, value));
      made.value = value;
    },
  };
}

function checkboxes(choices: readonly string[], id: string): Input {
  const boxes = choices.map((choice, i) => element('input', { type: 'checkbox', id: `${id}-${i}`, value: choice }));
  return {
    controls: boxes,
    element: element(
      'div',
      { class: 'choices' },
      ...boxes.map((box) => element('label', { class: 'choice', for: box.id }, box, ` ${box.value}`)),
    ),
    read: () => boxes.filter(({ checked }) => checked).map(({ value }) => value),
    write(values) {
      for (const box of boxes) box.checked = values.includes(box.value);
    },
  };
}

function linesInput(parameter: ConsoleParameter, id: string): Input {
  const made = element('textarea', { id, rows: 3, placeholder: 'one value per line', spellcheck: 'false' });
  return {
    controls: [made],
    element: made,
    read: () => made.value.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parameter.type === 'string' ? line : line.trim()])),
    write: (values) => {
      made.value = values.join('\n');
    },
  };
}
