// One field of the form: a parameter with its label, what it takes, and what the server says is wrong with it.
import type { ConsoleParameter } from './contract.ts';
import { Checkboxes, ChoiceInput, type InputProps, LinesInput, PinnedInput, TextInput, TimeInput } from './inputs.tsx';
import { takesTime } from './relative-time.ts';

interface FieldProps extends Pick<InputProps, 'parameter' | 'values' | 'onChange'> {
  /** What is wrong with the values; undefined when nothing is. */
  readonly error: string | undefined;
  /** Milliseconds since 1970, to which times are relative. */
  readonly nowMs: number;
}

export function Field({ parameter, error, nowMs, ...input }: FieldProps) {
  const { name, required, array, enum: allowed, pinned } = parameter;
  const id = `p-${name}`;
  const about = aboutText(parameter);
  const describedBy = `${id}-error ${id}-about`;
  const isGroup = pinned === undefined && array && allowed !== undefined;
  const caption = (
    <>
      <span class="field-name">{name}</span> <span class="field-type">{typeText(parameter)}</span>
      {required && (
        <>
          {' '}
          <span class="field-required">required</span>
        </>
      )}
    </>
  );
  const attributes = {
    id,
    'aria-invalid': error === undefined ? undefined : 'true',
    ...(isGroup ? {} : { 'aria-describedby': describedBy, 'aria-required': required ? 'true' : undefined }),
  };
  const content = (
    <>
      <FieldInput parameter={parameter} attributes={attributes} nowMs={nowMs} {...input} />
      <p id={`${id}-error`} class="field-error" hidden={error === undefined}>
        {error}
      </p>
      {about !== '' && (
        <p id={`${id}-about`} class="hint">
          {about}
        </p>
      )}
    </>
  );
  return isGroup ? (
    <fieldset class="field" aria-describedby={describedBy}>
      <legend class="label">{caption}</legend>
      {content}
    </fieldset>
  ) : (
    <div class="field">
      <label for={id} class="label">
        {caption}
      </label>
      {content}
    </div>
  );
}

function FieldInput({ nowMs, ...props }: InputProps & Pick<FieldProps, 'nowMs'>) {
  const { type, array, enum: allowed, pinned } = props.parameter;
  if (pinned !== undefined) return <PinnedInput {...props} />;
  if (array) return allowed === undefined ? <LinesInput {...props} /> : <Checkboxes {...props} />;
  if (allowed !== undefined || type === 'boolean') return <ChoiceInput {...props} />;
  return takesTime(props.parameter) ? <TimeInput {...props} nowMs={nowMs} /> : <TextInput {...props} />;
}

function typeText({ type, array, format, fields }: ConsoleParameter): string {
  const about = format ?? fields?.map(({ name }) => name ?? '…').join(', ');
  return `${array ? 'array of ' : ''}${type}${about === undefined ? '' : ` (${about})`}`;
}

const writtenText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function aboutText({ description, default: fallback, pinned }: ConsoleParameter): string {
  const parts = [
    description,
    pinned === undefined ? undefined : 'set by your key',
    pinned !== undefined || fallback === undefined ? undefined : `default: ${[fallback].flat().map(writtenText).join(', ')}`,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}
