// What people write values into: one control for each kind of parameter.
import type { ConsoleParameter } from './contract.ts';
import { RELATIVE_TIMES, relativeInstant } from './relative-time.ts';

export interface InputProps {
  readonly parameter: ConsoleParameter;
  /** Of the control that label and description are tied to. */
  readonly attributes: Readonly<{ id: string } & Record<`aria-${string}`, string | undefined>>;
  /** As they were written; of a list, line by line. */
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

/** No browser completes or corrects it. */
export const AS_WRITTEN = { autocomplete: 'off', autocapitalize: 'off', spellcheck: false } as const;

export function PinnedInput({ parameter: { pinned }, attributes }: InputProps) {
  return <input {...attributes} value={pinned} disabled />;
}

const KEYBOARDS: Readonly<Partial<Record<ConsoleParameter['type'], 'numeric' | 'decimal'>>> = { integer: 'numeric', float: 'decimal' };

export function TextInput({ parameter: { type, example, suggest }, attributes, values: [value = ''], onChange }: InputProps) {
  const input = (
    <input
      {...attributes}
      type={type === 'date' ? 'date' : 'text'}
      inputmode={KEYBOARDS[type]}
      placeholder={example === undefined ? undefined : `such as ${typeof example === 'object' ? JSON.stringify(example) : example}`}
      {...AS_WRITTEN}
      list={suggest && `${attributes.id}-known`}
      value={value}
      onInput={({ currentTarget }) => onChange([currentTarget.value])}
    />
  );
  if (suggest === undefined) return input;
  return (
    <div>
      {input}
      <datalist id={`${attributes.id}-known`}>
        {suggest.map((one) => (
          <option value={one} />
        ))}
      </datalist>
    </div>
  );
}

export function ChoiceInput({ parameter, attributes, values: [value = ''], onChange }: InputProps) {
  const known = parameter.enum?.map(String) ?? ['true', 'false'];
  // What an address says is kept, so that the server can say what it thinks of it.
  const choices = value === '' || known.includes(value) ? known : [...known, value];
  return (
    <select {...attributes} value={value} onChange={({ currentTarget }) => onChange([currentTarget.value])}>
      <option value="">{parameter.required ? 'Choose…' : 'Not set'}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  );
}

export function Checkboxes({ parameter, attributes: { id, ...attributes }, values, onChange }: InputProps) {
  const choices = parameter.enum?.map(String) ?? [];
  return (
    <div class="choices">
      {choices.map((choice, i) => (
        <label class="choice" for={`${id}-${i}`}>
          <input
            {...attributes}
            type="checkbox"
            id={`${id}-${i}`}
            value={choice}
            checked={values.includes(choice)}
            onChange={({ currentTarget: { checked } }) => {
              onChange(choices.filter((one) => (one === choice ? checked : values.includes(one))));
            }}
          />{' '}
          {choice}
        </label>
      ))}
    </div>
  );
}

export function LinesInput({ attributes, values, onChange }: InputProps) {
  return (
    <textarea
      {...attributes}
      rows={3}
      placeholder="one value per line"
      spellcheck={false}
      value={values.join('\n')}
      onInput={({ currentTarget }) => onChange(currentTarget.value.split('\n'))}
    />
  );
}

interface TimeInputProps extends InputProps {
  /** Milliseconds since 1970, to which times are relative. */
  readonly nowMs: number;
}

const PICKED = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?)(Z|$)/;

/** Text in any form the server reads, times relative to now, and the browser's picker, which is in UTC here. */
export function TimeInput({ parameter: { name, example }, attributes, values: [text = ''], onChange, nowMs }: TimeInputProps) {
  const at = relativeInstant(text, nowMs);
  const set = (value: string) => onChange([value]);
  return (
    <div class="time">
      <input
        {...attributes}
        type="text"
        placeholder={
          example === undefined
            ? '2026-01-31T12:00:00Z or -1h'
            : `such as ${typeof example === 'object' ? JSON.stringify(example) : example}`
        }
        {...AS_WRITTEN}
        value={text}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
      <div class="time-help">
        <select
          aria-label={`${name}, relative to now`}
          class="time-relative"
          onChange={({ currentTarget }) => {
            set(currentTarget.value);
            currentTarget.value = '';
          }}
        >
          <option value="">Relative…</option>
          {RELATIVE_TIMES.map(([value, label]) => (
            <option value={value}>{label}</option>
          ))}
        </select>
        <input
          type="datetime-local"
          step={1}
          class="time-picker"
          aria-label={`${name}, date and time in UTC`}
          value={PICKED.exec(at ?? text.trim())?.[1] ?? ''}
          onChange={({ currentTarget: { value } }) => {
            if (value !== '') set(`${value.length === 16 ? `${value}:00` : value}Z`);
          }}
        />
      </div>
      <output class="hint" for={attributes.id}>
        {at !== undefined && `currently ${at}`}
      </output>
    </div>
  );
}
