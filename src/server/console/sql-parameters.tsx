// The parameters that the SQL names: a type and a field for each.

import type { ConsoleParameter } from './contract.ts';
import { Field } from './field.tsx';
import { problemOf } from './query-form.tsx';
import type { Failure } from './server.ts';
import { isNull, TYPE_TEXTS, typeOf, withType } from './sql-text.ts';
import type { SqlDraft } from './use-sql-draft.ts';

interface SqlParametersProps {
  readonly parameters: readonly ConsoleParameter[];
  readonly draft: SqlDraft;
  readonly onDraft: (draft: SqlDraft) => void;
  readonly failure: Failure | undefined;
}

export function SqlParameters({ parameters, draft, onDraft, failure }: SqlParametersProps) {
  if (parameters.length === 0) return null;
  return (
    <div class="sql-parameters" role="group" aria-label="Parameters">
      {parameters.map((parameter) => {
        const { name } = parameter;
        return (
          <div class="sql-parameter" key={name}>
            <TypeChoice name={name} types={draft.types} onTypes={(types) => onDraft({ ...draft, types })} />
            <fieldset disabled={isNull(name, draft.types)}>
              <Field
                parameter={parameter}
                values={draft.values[name] ?? []}
                onChange={(values) => onDraft({ ...draft, values: { ...draft.values, [name]: values } })}
                error={problemOf(name, failure)}
                nowMs={Date.now()}
              />
            </fieldset>
          </div>
        );
      })}
    </div>
  );
}

interface TypeChoiceProps {
  readonly name: string;
  readonly types: SqlDraft['types'];
  readonly onTypes: (types: SqlDraft['types']) => void;
}

function TypeChoice({ name, types, onTypes }: TypeChoiceProps) {
  return (
    <div class="type-choice">
      <label>
        <input
          type="checkbox"
          aria-label={`@${name} is NULL`}
          checked={isNull(name, types)}
          onChange={({ currentTarget: { checked } }) => onTypes(withType(types, name, { isNull: checked }))}
        />{' '}
        NULL
      </label>
      <select
        aria-label={`Type of @${name}`}
        value={typeOf(name, types)}
        onChange={({ currentTarget: { value } }) => onTypes(withType(types, name, { type: value }))}
      >
        {TYPE_TEXTS.map((type) => (
          <option value={type}>{type}</option>
        ))}
      </select>
    </div>
  );
}
