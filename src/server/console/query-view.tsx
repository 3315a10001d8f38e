// A saved query: its form, its runs, and what came of them. The address says what is shown; whatever is chosen here goes there first.
import { useLayoutEffect, useState } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { type Address, LIVE_SECONDS } from './address.ts';
import { announce } from './announce.ts';
import { Button } from './button.tsx';
import type { ConsoleEndpoint } from './contract.ts';
import { LivePicker } from './live-picker.tsx';
import { usePage } from './page.ts';
import { QueryForm } from './query-form.tsx';
import { RunOutcome } from './result-view.tsx';
import { RunBar } from './run-bar.tsx';
import { SandboxEditor } from './sandbox-editor.tsx';
import { enteredValues } from './sent-values.ts';
import { questionOf } from './subject.ts';
import { useRun } from './use-run.ts';

export function QueryView({ endpoint }: { readonly endpoint: ConsoleEndpoint }) {
  const { server, visit, go } = usePage();
  const { address } = visit;
  const [draft, setDraft] = useDraft(address);
  const run = useRun(endpoint);
  const entered = { values: enteredValues(endpoint, draft.values), sql: draft.sql.trim() || undefined };
  const submit = () => {
    const view = address.view === 'sql' || address.view === 'elsewhere' ? undefined : address.view;
    go({ ...address, ...entered, view, run: true });
  };
  const goTo = (asOf: string) => {
    const instant = endpoint.parameters.find((parameter) => parameter.instant === true);
    if (instant !== undefined) go({ ...address, values: { ...address.values, [instant.name]: [asOf] }, run: true });
  };
  const failure = run.trouble?.kind === 'failure' ? run.trouble.failure : undefined;
  return (
    <article class="query" onKeyDown={({ key }) => key === 'Escape' && run.cancel()}>
      <div class="query-head">
        <h1 tabindex={-1}>{visible(endpoint.name)}</h1>
        <Star name={endpoint.name} />
      </div>
      {endpoint.description !== '' && <p class="description">{visible(endpoint.description)}</p>}
      <p class="facts">{factsText(endpoint)}</p>
      <form
        novalidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <QueryForm
          endpoint={endpoint}
          values={draft.values}
          onValues={(values) => setDraft({ ...draft, values })}
          question={run.question}
          failure={failure}
        />
        {endpoint.takesSql && (
          <SandboxEditor
            text={draft.sql}
            onText={(sql) => setDraft({ ...draft, sql })}
            onRun={submit}
            complete={async (sql, offset) => {
              const given = await server.complete({ endpoint: endpoint.name, sql, offset });
              return 'got' in given ? given.got.suggestions : [];
            }}
          />
        )}
        {endpoint.sqlBarred !== undefined && <p class="hint">You cannot run your own SQL here: {visible(endpoint.sqlBarred)}.</p>}
        <RunBar since={run.since} onCancel={run.cancel} />
      </form>
      <RunOutcome subject={endpoint} run={run} onInstant={goTo} isCached={endpoint.ttlSeconds > 0} draft={questionOf(endpoint, entered)}>
        <LivePicker live={address.live} seconds={LIVE_SECONDS} onLive={(live) => go({ ...address, live }, 'replace')} />
      </RunOutcome>
    </article>
  );
}

/** What stands in the form, which may not have been run yet. */
interface Draft {
  readonly values: Address['values'];
  readonly sql: string;
}

/** Begins again when the address asks for something else. */
function useDraft({ values, sql = '', run }: Address) {
  const [draft, setDraft] = useState<Draft>({ values, sql });
  useLayoutEffect(() => setDraft({ values, sql }), [JSON.stringify(values), sql, run]);
  return [draft, setDraft] as const;
}

function Star({ name }: { readonly name: string }) {
  const { favourites, onFavourite } = usePage();
  const isStarred = favourites.includes(name);
  const toggle = () => {
    onFavourite(name, !isStarred);
    announce(isStarred ? `${name} is no favourite any more` : `${name} is a favourite`);
  };
  return (
    <Button
      class="star"
      aria-label="Favourite"
      aria-pressed={isStarred}
      title="Favourite: on the overview, and marked in the list"
      onClick={toggle}
    >
      {isStarred ? '★' : '☆'}
    </Button>
  );
}

function factsText({ ttlSeconds, maxRows, dialect, takesSql, id }: ConsoleEndpoint): string {
  const period = ttlSeconds % 60 === 0 ? `${ttlSeconds / 60} min` : `${ttlSeconds} s`;
  return [
    ttlSeconds === 0 ? 'not cached' : `cached for ${period}`,
    `at most ${maxRows.toLocaleString('en')} rows`,
    dialect === 'clickhouse' ? 'ClickHouse SQL' : 'BigQuery SQL',
    ...(takesSql ? ['accepts your own SQL'] : []),
    id,
  ].join(' · ');
}
