// What a run has to say beside its rows, on standard error.
import type { App } from '../app.ts';
import type { RunOutcome } from '../saved-query/run.ts';

/** Notes rows that were cut off and sources that are empty; on a terminal also how many rows came, from where, how fast. */
export async function noteOutcome(app: App, { result, cache, plan }: RunOutcome): Promise<void> {
  if (result.truncated) {
    await app.note(`note: only the first ${plan.maxRows} rows: ${plan.name} has max_rows: ${plan.maxRows}`);
  }
  if (result.missing !== undefined) await app.warn(`note: rows are missing: ${result.missing.join(', ')} did not answer`);
  if (result.rows.length === 0 && plan.sources.length > 0) {
    const reason = await (await app.connection()).explainEmpty(plan.sources);
    if (reason !== undefined) await app.note(`note: ${reason}`);
  }
  if (!app.io.stderr.isTerminal) return;
  const rows = `${result.rows.length} ${result.rows.length === 1 ? 'row' : 'rows'}`;
  if (cache.state === 'hit') await app.note(`${rows}, cached ${cache.ageSeconds ?? 0} s ago; --refresh runs it again`);
  else if (result.statistics !== undefined) await app.note(`${rows} in ${Math.round(result.statistics.elapsedMs)} ms`);
}
