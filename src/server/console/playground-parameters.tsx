// What stands below the text of the playground: what its parameters are.
import { PARAMETER_TYPES, type ParameterType } from './playground-address.ts';

interface ParameterListProps {
  readonly names: readonly string[];
  readonly types: Readonly<Record<string, ParameterType>>;
  readonly onType: (name: string, type: ParameterType) => void;
  /** Present where the SQL holds the values of parameters. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  readonly onValue: (name: string, value: string) => void;
}

/** A type for each parameter of the text, and a value where the SQL holds it. */
export function ParameterList({ names, types, onType, values, onValue }: ParameterListProps) {
  return (
    <div class="parameter-types" hidden={names.length === 0}>
      {names.map((name) => (
        <label class="parameter-type" key={name}>
          <code>@{name}</code>
          <select
            aria-label={`Type of @${name}`}
            value={types[name] ?? 'STRING'}
            onChange={({ currentTarget: { value } }) => {
              const type = PARAMETER_TYPES.find((one) => one === value);
              if (type !== undefined) onType(name, type);
            }}
          >
            {PARAMETER_TYPES.map((type) => (
              <option value={type}>{type}</option>
            ))}
          </select>
          {values && (
            <input
              aria-label={`Value of @${name}`}
              value={values[name] ?? ''}
              placeholder="value"
              onInput={({ currentTarget: { value } }) => onValue(name, value)}
            />
          )}
        </label>
      ))}
    </div>
  );
}
