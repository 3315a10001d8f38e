// The SQL page: a query over all tables that the caller may read, with what is wrong with it, its values and what came of it. Loaded when it is first opened.
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { ROW_COUNTS } from './address.ts';
import { announce } from './announce.ts';
import { Button } from './button.tsx';
import type { Cursor } from './editor.tsx';
import { lazy } from './lazy.tsx';
import { usePage } from './page.ts';
import { ProblemList } from './problem-list.tsx';
import { RunOutcome } from './result-view.tsx';
import { RunBar } from './run-bar.tsx';
import { SaveView } from './save-view.tsx';
import { enteredValues } from './sent-values.ts';
import { SqlParameters } from './sql-parameters.tsx';
import { parametersOf } from './sql-text.ts';
import { questionOf, typedParameters } from './subject.ts';
import { checkOf, useCheck } from './use-check.ts';
import { useRun } from './use-run.ts';
import { useSqlDraft } from './use-sql-draft.ts';

// What is around it is there at once.
const Editor = lazy(async () => (await import('./editor.tsx')).Editor);

export function SqlPage() {
  const { server, visit, go } = usePage();
  const { address } = visit;
  const { sql = '', types } = address;
  const [draft, setDraft] = useSqlDraft();
  const [cursor, setCursor] = useState<Cursor>();
  const subject = useMemo(() => ({ parameters: parametersOf(sql, types) }), [sql, types]);
  const parameters = useMemo(() => parametersOf(draft.sql, draft.types), [draft.sql, draft.types]);
  const run = useRun(subject);
  const check = useCheck(draft.sql, parameters);
  const valued = parameters.filter(({ required }) => required); // the others are NULL
  const entered = { ...draft, values: enteredValues({ parameters: valued }, draft.values), sql: draft.sql.trim() || undefined };
  const view = address.view === 'sql' || address.view === 'file' ? undefined : address.view;
  const submit = () => {
    if (entered.sql === undefined) setCursor({});
    else go({ ...address, ...entered, view, run: true });
  };
  useLayoutEffect(() => setCursor({}), []);
  // What is said of another text, or is said already, is left out.
  const trouble = draft.sql.trim() === sql.trim() && check.findings.length === 0 ? run.trouble : undefined;
  const failure = trouble?.kind === 'failure' ? trouble.failure : undefined;
  const ofRun = useMemo(() => checkOf(sql, failure), [failure]);
  return (
    <article class="query sql-page" onKeyDown={({ key }) => key === 'Escape' && run.cancel()}>
      <SqlHead />
      <form
        novalidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div class="sql-editor">
          <Editor
            dialect="bigquery"
            label="SQL"
            text={draft.sql}
            numbers
            marks={check.findings.length > 0 ? check.marks : ofRun.marks}
            cursor={cursor}
            onChange={(text) => setDraft({ ...draft, sql: text })}
            onRun={submit}
            complete={async (text, offset) => {
              // A name that is being written is none yet.
              const others = text.slice(0, offset).replace(/@\w*$/, '') + text.slice(offset);
              const given = await server.complete({ sql: text, offset, parameters: typedParameters(parametersOf(others, draft.types)) });
              return 'got' in given ? given.got.suggestions : [];
            }}
          />
        </div>
        <ProblemList findings={check.findings} onGo={({ span }) => setCursor({ offset: span.start })} />
        <SqlParameters parameters={parameters} draft={draft} onDraft={setDraft} failure={failure} />
        <div class="sql-bar">
          <RunBar since={run.since} onCancel={run.cancel} />
          <FormatButton sql={draft.sql} onSql={(text) => setDraft({ ...draft, sql: text })} />
          <RowCount rows={draft.rows} onRows={(rows) => setDraft({ ...draft, rows })} />
        </div>
      </form>
      <RunOutcome
        subject={subject}
        run={{ ...run, trouble }}
        isCached
        draft={questionOf({ parameters }, entered)}
        file={<SaveView sql={draft.sql} types={draft.types} values={entered.values} />}
      />
    </article>
  );
}

function SqlHead() {
  return (
    <div class="query-head">
      <h1 tabindex={-1}>SQL</h1>
      <a class="tables-link" href="#/~tables">
        Tables
      </a>
    </div>
  );
}

interface FormatButtonProps {
  readonly sql: string;
  readonly onSql: (sql: string) => void;
}

/** A text that cannot be read stays as it is: what is wrong with it stands below it. */
function FormatButton({ sql, onSql }: FormatButtonProps) {
  const { server } = usePage();
  const layOut = async () => {
    const given = await server.format(sql);
    if ('got' in given) onSql(given.got.sql);
    announce('got' in given ? 'laid out' : given.failure.message);
  };
  return (
    <Button title="Lay the SQL out, as quern fmt does" disabled={sql.trim() === ''} onClick={() => void layOut()}>
      Format
    </Button>
  );
}

interface RowCountProps {
  readonly rows: number | undefined;
  readonly onRows: (rows: number | undefined) => void;
}

function RowCount({ rows, onRows }: RowCountProps) {
  return (
    <label class="row-count">
      At most
      <select
        value={rows ?? ROW_COUNTS[0]}
        onChange={({ currentTarget: { value } }) => onRows(Number(value) === ROW_COUNTS[0] ? undefined : Number(value))}
      >
        {ROW_COUNTS.map((count) => (
          <option value={count}>{count.toLocaleString('en')} rows</option>
        ))}
      </select>
    </label>
  );
}
