// The playground: BigQuery SQL on one side, the ClickHouse SQL that it is on the other, as one types. The page translates by itself: no engine, no key.
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { announce } from './announce.ts';
import { Button, CopyButton } from './button.tsx';
import { type Cursor, Editor } from './editor.tsx';
import { PRODUCTS, type Product, readWorkspace, type Workspace } from './playground-address.ts';
import { EXAMPLES } from './playground-examples.ts';
import { ParameterList } from './playground-parameters.tsx';
import { Translation } from './playground-translation.tsx';
import { completeIn, formatted } from './playground-translator.ts';
import { ProblemList } from './problem-list.tsx';
import { Tabs } from './tabs.tsx';
import { type Looking, useTranslation } from './use-translation.ts';

type Where = 'query' | 'tables';

const FIRST: Workspace = readWorkspace(location.hash) ?? EXAMPLES[0];

function Playground() {
  const [workspace, setWorkspace] = useState(FIRST);
  const [where, setWhere] = useState<Where>('query');
  const [cursor, setCursor] = useState<Cursor>();
  const looking = useTranslation(workspace, { isFirst: workspace === FIRST, onAddress: setWorkspace });
  const goTo = (place: Where, to: Cursor) => {
    setWhere(place);
    setCursor(to);
  };
  const layOut = async () => {
    const text = await formatted(workspace.sql).catch(() => undefined);
    if (text === undefined) announce('A query with a syntax error cannot be formatted');
    else setWorkspace({ ...workspace, sql: text.trimEnd() });
    goTo('query', {});
  };
  return (
    <>
      <a
        class="skip"
        href="#query"
        onClick={(event) => {
          event.preventDefault();
          goTo('query', {});
        }}
      >
        Skip to the query
      </a>
      <header class="top">
        <Head workspace={workspace} onOpen={setWorkspace} onFormat={() => void layOut()} />
      </header>
      <main id="main" tabindex={-1}>
        <div class="panes">
          <section class="pane" id="query" tabindex={-1} aria-label="The query and its tables">
            <Texts workspace={workspace} onChange={setWorkspace} where={where} onWhere={setWhere} cursor={cursor} looking={looking} />
          </section>
          <section class="pane" aria-label="Its translation">
            <Translation workspace={workspace} looking={looking} />
          </section>
        </div>
        <div class="playground-foot">
          <State {...looking} />
          <ProblemList
            findings={looking.looked?.findings ?? []}
            elsewhere={looking.looked?.tableError && { name: 'Tables', finding: looking.looked.tableError }}
            onGo={({ span }, isElsewhere) => goTo(isElsewhere ? 'tables' : 'query', { offset: span.start })}
          />
        </div>
      </main>
      <div id="told" class="unseen" role="status" />
    </>
  );
}

interface HeadProps {
  readonly workspace: Workspace;
  readonly onOpen: (workspace: Workspace) => void;
  readonly onFormat: () => void;
}

function Head({ workspace, onOpen, onFormat }: HeadProps) {
  return (
    <>
      <a class="brand" href="./">
        quern
      </a>
      <h1 class="playground-title">Playground</h1>
      <span class="space" />
      <label class="unseen" for="product">
        Tables of
      </label>
      <select
        id="product"
        value={workspace.product ?? ''}
        onChange={({ currentTarget: { value } }) => {
          const product = (Object.keys(PRODUCTS) as Product[]).find((one) => one === value); // Object.keys only knows strings
          onOpen({ ...workspace, product });
        }}
      >
        <option value="">Your tables</option>
        {Object.entries(PRODUCTS).map(([name, title]) => (
          <option value={name}>{title} logs</option>
        ))}
      </select>
      <label class="unseen" for="examples">
        Examples
      </label>
      <select
        id="examples"
        onChange={({ currentTarget }) => {
          const example = EXAMPLES.find(({ name }) => name === currentTarget.value);
          if (example !== undefined) {
            const { name: _, ...opened } = example;
            onOpen(opened);
          }
          currentTarget.value = '';
        }}
      >
        <option value="">Examples</option>
        {EXAMPLES.map(({ name }) => (
          <option value={name}>{name}</option>
        ))}
      </select>
      <Button onClick={onFormat}>Format</Button>
      <CopyButton label="Copy link" text={() => location.href} />
    </>
  );
}

interface TextsProps {
  readonly workspace: Workspace;
  readonly onChange: (workspace: Workspace) => void;
  readonly where: Where;
  readonly onWhere: (where: Where) => void;
  readonly cursor: Cursor | undefined;
  readonly looking: Looking;
}

function Texts({ workspace, onChange, where, onWhere, cursor, looking: { looked, marks, tableMarks } }: TextsProps) {
  const query = (
    <>
      <Editor
        dialect="bigquery"
        label="BigQuery SQL"
        text={workspace.sql}
        numbers
        marks={marks}
        cursor={where === 'query' ? cursor : undefined}
        onChange={(sql) => onChange({ ...workspace, sql })}
        complete={(sql, offset) => completeIn({ ...workspace, sql }, offset)}
      />
      <ParameterList
        names={looked?.parameters ?? []}
        types={workspace.parameters}
        onType={(name, type) => onChange({ ...workspace, parameters: { ...workspace.parameters, [name]: type } })}
        values={workspace.product === undefined ? undefined : (workspace.values ?? {})}
        onValue={(name, value) => onChange({ ...workspace, values: { ...workspace.values, [name]: value } })}
      />
    </>
  );
  const tables =
    workspace.product !== undefined ? (
      <p class="hint">
        The log sources of {PRODUCTS[workspace.product]} are known: edge_logs, auth_logs, postgres_logs and the others, in its table logs.
        The SQL can be pasted into its log explorer.
      </p>
    ) : (
      <>
        <p class="hint">CREATE TABLE statements of ClickHouse, as SHOW CREATE TABLE prints them.</p>
        <Editor
          dialect="clickhouse"
          label="Tables"
          text={workspace.tables}
          numbers
          marks={tableMarks}
          cursor={where === 'tables' ? cursor : undefined}
          onChange={(text) => onChange({ ...workspace, tables: text })}
        />
      </>
    );
  return (
    <Tabs
      label="The query and its tables"
      tabs={[
        { name: 'query', label: 'BigQuery SQL', content: query },
        { name: 'tables', label: 'Tables', content: tables },
      ]}
      chosen={where}
      onChosen={onWhere}
    />
  );
}

/** Whether there is a translation, in a few words. */
function State({ fault, state, isWrong }: Looking) {
  const kind = isWrong ? 'bad' : 'good';
  return (
    <p class="playground-state" role="status" data-kind={isWrong === undefined ? '' : kind}>
      {state}
      {fault !== undefined && (
        <>
          {' '}
          {/* Browsers remember what they could not load, until the page is another one; the address has the text. */}
          <Button onClick={() => location.reload()}>Try again</Button>
        </>
      )}
    </p>
  );
}

render(<Playground />, document.body);
