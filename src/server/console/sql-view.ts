// The SQL of a saved query as it was written, and as the engine is given it, side by side.
import { copyButton } from './clipboard.ts';
import type { ConsoleSql } from './contract.ts';
import { element } from './element.ts';
import type { EditorDialect } from './sql-colours.ts';

export async function sqlView(sql: ConsoleSql): Promise<HTMLElement> {
  const { createEditor } = await import('./editor.ts');
  const panel = (title: string, dialect: EditorDialect, text: string) =>
    element(
      'section',
      { class: 'sql-panel' },
      element(
        'div',
        { class: 'panel-head' },
        element('h2', {}, title),
        copyButton('Copy', () => text),
      ),
      createEditor({ dialect, label: title, text }).element,
    );
  const parameters = sql.bound.map(({ name, type }) => `-- {${name}:${type}}`);
  const clickhouse = panel('ClickHouse SQL', 'clickhouse', [...parameters, sql.clickhouse].join('\n'));
  const settings = Object.entries(sql.settings).map(([name, value]) => `${name} = ${value}`);
  clickhouse.append(
    element(
      'details',
      { class: 'settings' },
      element('summary', {}, `Settings it relies on (${settings.length})`),
      element('pre', { tabindex: 0, 'aria-label': 'Settings' }, settings.join('\n')),
    ),
  );
  if (sql.dialect === 'clickhouse') return element('div', { class: 'sql-panels' }, clickhouse);
  return element('div', { class: 'sql-panels' }, panel('BigQuery SQL', 'bigquery', sql.own), clickhouse);
}
