// What stands below the texts of the playground: what is wrong with them, and what the parameters are.
import type { TextFinding } from '../../translate.ts';
import { PARAMETER_TYPES, type ParameterType } from './playground-address.ts';

export type Where = 'query' | 'tables';

const SEVERITIES = { error: 'Error', warning: 'Warning', note: 'Note' } as const;

interface ProblemListProps {
  readonly findings: readonly TextFinding[];
  readonly tableError: TextFinding | undefined;
  /** Puts the cursor where a finding is. */
  readonly onGo: (finding: TextFinding, where: Where) => void;
}

export function ProblemList({ findings, tableError, onGo }: ProblemListProps) {
  return (
    <ul class="problems" aria-label="Problems" hidden={findings.length === 0 && tableError === undefined}>
      {tableError && <Problem finding={tableError} prefix="Tables, " onGo={() => onGo(tableError, 'tables')} />}
      {findings.map((finding) => (
        <Problem finding={finding} prefix="" onGo={() => onGo(finding, 'query')} />
      ))}
    </ul>
  );
}

interface ProblemProps {
  readonly finding: TextFinding;
  readonly prefix: string;
  readonly onGo: () => void;
}

function Problem({ finding: { severity, message, hint, line, column }, prefix, onGo }: ProblemProps) {
  return (
    <li class={`problem ${severity}`}>
      <button type="button" onClick={onGo} title="Go there">
        <span class="problem-kind">{SEVERITIES[severity]}</span>
        <span class="problem-text">
          {message}
          {hint && <span class="problem-hint">{hint}</span>}
        </span>
        <span class="problem-place">{`${prefix}line ${line}, column ${column}`}</span>
      </button>
    </li>
  );
}

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
