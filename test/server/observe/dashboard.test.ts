// The dashboard for /metrics asks for what /metrics has.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventsEngine, served } from '../server-support.ts';

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const engine = eventsEngine();
const dashboard = JSON.parse(readFileSync(new URL('../../../examples/grafana/server.json', import.meta.url), 'utf8')) as Dashboard;

/** Names of metrics in an expression of PromQL, without functions and labels. */
const metricsIn = (expr: string): readonly string[] => expr.replace(/\{[^}]*\}/g, '').match(/\b(?:quern|process|nodejs)_\w+/g) ?? [];

test('every panel of the dashboard shows metrics, labels included, that the server has', async () => {
  const { ask } = await served(engine(), { key: { scopes: ['*'], maxScanPerHour: 1000, maxTimePerHour: 60 } });
  await ask('/api/endpoints/ids?area=rest');
  const { body } = await ask('/metrics');
  const events = 'quern_cache_events_total'; // it has no series before the first event
  expect(body).toContain(`# TYPE ${events} counter`);
  for (const { title, targets } of dashboard.panels) {
    expect(targets.length, title).toBeGreaterThan(0);
    for (const { expr } of targets) {
      const names = metricsIn(expr);
      expect(names.length, expr).toBeGreaterThan(0);
      const labels = (/by \(([^)]*)\)/.exec(expr)?.[1] ?? '').split(', ').filter((label) => label !== '' && label !== 'instance');
      for (const name of names.filter((one) => one !== events)) {
        const series = body.split('\n').filter((line) => new RegExp(`^${name}[ {]`).test(line));
        expect(series.length, `${title}: ${name}`).toBeGreaterThan(0);
        for (const label of labels) expect(series.join('\n'), `${title}: ${label}`).toContain(`${label}="`);
      }
    }
  }
});
