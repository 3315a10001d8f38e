// The file that makes a saved query of the SQL, to be committed with the project's others. The page writes nothing.
import { useState } from 'preact/hooks';
import { savedText } from '../../queries/header/saved-text.ts';
import { Button } from './button.tsx';
import { CopyPanel } from './copy-panel.tsx';
import { saveFile } from './downloads.tsx';
import { AS_WRITTEN } from './inputs.tsx';
import { lazy } from './lazy.tsx';
import { parametersOf, typeOf } from './sql-text.ts';
import type { SqlDraft } from './use-sql-draft.ts';

const Editor = lazy(async () => (await import('./editor.tsx')).Editor);

/** What the catalog takes for a name. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

export function SaveView({ sql, types, values }: Pick<SqlDraft, 'sql' | 'types' | 'values'>) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const isName = NAME.test(name);
  const file = `${isName ? name : 'my-query'}.sql`;
  const text = textOf({ description, sql, types, values });
  if (sql.trim() === '') return <p class="nothing">Write a query first: its file is shown here.</p>;
  return (
    <div class="save">
      <div class="save-fields">
        <label>
          Name
          <input
            value={name}
            placeholder="such as orders.per-day"
            aria-invalid={name !== '' && !isName ? 'true' : undefined}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
            {...AS_WRITTEN}
          />
        </label>
        <label>
          Description
          <input value={description} placeholder="what it answers" onInput={({ currentTarget }) => setDescription(currentTarget.value)} />
        </label>
        <Button onClick={() => saveFile(new Blob([text], { type: 'application/sql' }), file)}>Download {file}</Button>
      </div>
      <CopyPanel class="sql-panel" title={`queries/${file}`} text={text}>
        <Editor dialect="bigquery" label="The file of the saved query" text={text} />
      </CopyPanel>
      <p class="hint">
        {name !== '' && !isName
          ? 'A name has letters, digits, dots, - and _. '
          : 'Put the file into the folder of your queries, and commit it: the server serves it as soon as it is there. '}
        This page writes nothing.
      </p>
    </div>
  );
}

interface TextOptions extends Pick<SqlDraft, 'sql' | 'types' | 'values'> {
  readonly description: string;
}

function textOf({ description, sql, types, values }: TextOptions): string {
  if (sql.trimStart().startsWith('/*---')) return `${sql.trim()}\n`;
  return savedText({
    description: yamlText(description),
    sql,
    parameters: parametersOf(sql, types).map(({ name, array }) => {
      const given = values[name] ?? [];
      const fallback = array ? JSON.stringify(given) : yamlText(given[0] ?? '');
      return { name, type: typeOf(name, types), default: given.length === 0 ? undefined : fallback };
    }),
  });
}

/** Text as it is where YAML reads it as one, else quoted; it stands in a comment, whose end it must not contain. */
const yamlText = (text: string): string =>
  /^(?:[A-Za-z][\w ().-]*|-?\d+(?:\.\d+)?)$/.test(text) ? text : JSON.stringify(text).replaceAll('*/', '*\\/');
