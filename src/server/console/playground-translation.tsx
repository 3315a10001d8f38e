// What the playground's query is in ClickHouse: its SQL with what that needs, and the logical plan.
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Translation as Translated } from '../../translate.ts';
import { CopyButton } from './button.tsx';
import { Editor } from './editor.tsx';
import type { Workspace } from './playground-address.ts';
import { planOf } from './playground-translator.ts';
import { Settings } from './settings.tsx';
import { Tabs } from './tabs.tsx';
import type { Looking } from './use-translation.ts';

export function Translation({
  workspace,
  looking: { looked, translation, isBlank },
}: {
  readonly workspace: Workspace;
  readonly looking: Looking;
}) {
  const [chosen, setChosen] = useState<'sql' | 'plan'>('sql');
  const isMissing = looked !== undefined && looked.translation === undefined && !isBlank;
  const before = translation === undefined ? '' : ' The SQL shown is from before the last change.';
  const sql = (
    <>
      <p class="not-made" hidden={!isMissing}>
        {isMissing && `This query is not translated; the problems below say why.${before}`}
      </p>
      <Editor dialect="clickhouse" label="ClickHouse SQL" text={translation?.sql ?? ''} />
      <div class="playground-facts">{translation && <Facts {...translation} />}</div>
    </>
  );
  return (
    <>
      <Tabs
        label="Its translation"
        tabs={[
          { name: 'sql', label: 'ClickHouse SQL', content: sql, class: isMissing ? 'stale' : '' },
          { name: 'plan', label: 'Logical plan', content: <Plan workspace={workspace} looking={looked} /> },
        ]}
        chosen={chosen}
        onChosen={setChosen}
      />
      <CopyButton label="Copy SQL" text={() => translation?.sql ?? ''} class="pane-action" />
    </>
  );
}

function Facts({ columns, parameters, settings }: Translated) {
  return (
    <>
      <Names title="Columns" names={columns.map(({ name, type }) => [name, type.kind])} />
      <Names title="Bound" names={parameters.map(({ name, type }) => [name, type])} />
      <Settings settings={settings} />
    </>
  );
}

function Names({ title, names }: { readonly title: string; readonly names: readonly (readonly [name: string, type: string])[] }) {
  if (names.length === 0) return null;
  return (
    <p>
      <span class="soft">{title} </span>
      {names.map(([name, type], i) => (
        <>
          {i > 0 && ', '}
          <code>{name}</code> <span class="soft">{type}</span>
        </>
      ))}
    </p>
  );
}

/** `looking` is another object once the query has been looked at again. */
function Plan({ workspace, looking }: { readonly workspace: Workspace; readonly looking: unknown }) {
  const [text, setText] = useState('');
  useLayoutEffect(() => {
    let isCurrent = true;
    void planOf(workspace)
      .catch(() => undefined)
      .then((plan) => {
        if (isCurrent) setText(plan?.optimized.trimEnd() ?? 'There is a plan once the query is translated.');
      });
    return () => {
      isCurrent = false;
    };
  }, [looking]);
  return (
    <>
      <p class="hint">What runs, from the bottom up, before it is written as ClickHouse SQL.</p>
      <pre class="playground-plan" tabindex={0} aria-label="Logical plan">
        {text}
      </pre>
    </>
  );
}
