// The parameters that the SQL names: a type and a field for each.

import type { ConsoleParameter } from './contract.ts';
import { Field } from './field.tsx';
import { problemOf } from './query-form.tsx';
import type { Failure } from './server.ts';
import { TYPE_TEXTS, typeOf } from './sql-text.ts';
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
            <select
              aria-label={`Type of @${name}`}
              value={typeOf(name, draft.types)}
              onChange={({ currentTarget: { value } }) => onDraft({ ...draft, types: { ...draft.types, [name]: value } })}
            >
              {TYPE_TEXTS.map((type) => (
                <option value={type}>{type}</option>
              ))}
            </select>
            <Field
              parameter={parameter}
              values={draft.values[name] ?? []}
              onChange={(values) => onDraft({ ...draft, values: { ...draft.values, [name]: values } })}
              error={problemOf(name, failure)}
              nowMs={Date.now()}
            />
          </div>
        );
      })}
    </div>
  );
}
