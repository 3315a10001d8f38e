// The SQL of a saved query as it was written, and as the engine is given it, side by side.
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ConsoleSql, ConsoleSqlRequest } from './contract.ts';
import { CopyPanel } from './copy-panel.tsx';
import { FailureBox } from './failure-box.tsx';
import { lazy } from './lazy.tsx';
import { usePage } from './page.ts';
import type { Answer } from './server.ts';
import { Settings } from './settings.tsx';

const Editor = lazy(async () => (await import('./editor.tsx')).Editor);

/** `sql` is the caller's own. The server is asked for it when the page is looked at, and not with every letter. */
export function SqlView(request: ConsoleSqlRequest) {
  const { server, visit } = usePage();
  const [shown, setShown] = useState<Answer<ConsoleSql> & { readonly of: string }>();
  const key = JSON.stringify(request);
  const load = async () => setShown({ ...(await server.sql(request)), of: key });
  useLayoutEffect(() => {
    if (shown === undefined || 'failure' in shown || shown.of !== key) void load();
  }, [visit]);
  if (shown === undefined) return null;
  if ('failure' in shown) return <FailureBox failure={shown.failure} onRetry={() => void load()} />;
  return <SqlPanels {...shown.got} hasOwn={request.endpoint !== undefined && shown.got.dialect !== 'clickhouse'} />;
}

/** `hasOwn`: the text in BigQuery's dialect stands beside it. */
function SqlPanels({ own, hasOwn, clickhouse, bound, settings }: ConsoleSql & { readonly hasOwn: boolean }) {
  const text = [...bound.map(({ name, type }) => `-- {${name}:${type}}`), clickhouse].join('\n');
  return (
    <div class="sql-panels">
      {hasOwn && (
        <CopyPanel class="sql-panel" title="BigQuery SQL" text={own}>
          <Editor dialect="bigquery" label="BigQuery SQL" text={own} />
        </CopyPanel>
      )}
      <CopyPanel class="sql-panel" title="ClickHouse SQL" text={text}>
        <Editor dialect="clickhouse" label="ClickHouse SQL" text={text} />
        <Settings settings={settings} />
      </CopyPanel>
    </div>
  );
}
