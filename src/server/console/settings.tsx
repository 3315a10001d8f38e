// The settings of ClickHouse that a translation relies on.
export function Settings({ settings }: { readonly settings: Readonly<Record<string, unknown>> }) {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return (
    <details class="settings">
      <summary>Settings it relies on ({lines.length})</summary>
      <pre tabindex={0} aria-label="Settings">
        {lines.join('\n')}
      </pre>
    </details>
  );
}
