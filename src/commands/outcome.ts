// What a run has to say beside its rows, on standard error.
import type { App } from '../app.ts';
import type { RunOutcome } from '../saved-query/run.ts';

/** Notes rows that were cut off and sources that are empty; on a terminal also how many rows came, from where, how fast. */
export async function noteOutcome(app: App, { result, cache, plan }: RunOutcome): Promise<void> {
  if (result.truncated) {
    await app.note(`note: only the first ${plan.maxRows} rows: ${plan.name} has max_rows: ${plan.maxRows}`);
  }
  if (result.rows.length === 0 && plan.sources.length > 0) {
    const { sources } = await app.manifest();
    if (plan.sources.every((source) => (sources[source]?.rows ?? 0) === 0)) {
      const { store } = (await app.settings()).values;
      await app.note(
        `note: ${plan.sources.join(', ')} ${plan.sources.length === 1 ? 'is' : 'are'} empty in the store ${store}: fill it with \`quern load\`, or see \`quern demo\``,
      );
    }
  }
  if (!app.io.stderr.isTerminal) return;
  const rows = `${result.rows.length} ${result.rows.length === 1 ? 'row' : 'rows'}`;
  if (cache.state === 'hit') await app.note(`${rows}, cached ${cache.ageSeconds ?? 0} s ago; --refresh runs it again`);
  else if (result.statistics !== undefined) await app.note(`${rows} in ${Math.round(result.statistics.elapsedMs)} ms`);
}
