// Commands that ask the same question elsewhere.
import { CopyPanel } from './copy-panel.tsx';
import { curlCommand, type Question, runCommand } from './elsewhere.ts';
import { usePage } from './page.ts';

/** `hasInstant`: the query has a parameter for what counts as now. */
export function ElsewhereView({ question, hasInstant }: { readonly question: Question; readonly hasInstant: boolean }) {
  const { authentication: withKey } = usePage().info;
  const origin = new URL('.', location.href.split('#', 1)[0]).href;
  return (
    <div class="commands">
      <Command title="curl" text={curlCommand(question, origin, withKey)} note={withKey ? 'Set QUERN_KEY to your key first.' : undefined} />
      <Command title="quern run" text={runCommand(question, hasInstant)} />
    </div>
  );
}

function Command({ title, text, note }: { readonly title: string; readonly text: string; readonly note?: string }) {
  return (
    <CopyPanel class="command" title={title} text={text}>
      <pre tabindex={0} aria-label={title}>
        {text}
      </pre>
      {note !== undefined && <p class="hint">{note}</p>}
    </CopyPanel>
  );
}
