// What may be wrong with a new key, as far as the saved queries tell: it is made all the same, for they may come later.
import type { App } from '../app.ts';
import { nearest, QuernError } from '../errors.ts';
import type { Plan } from '../execution/plan.ts';
import { type Key, keyAllows, OVERSIGHT, scopeCovers } from '../keys/key.ts';
import { sandboxBar, unknownPins } from '../keys/pinned-arguments.ts';

export async function doubtsAbout(key: Key, app: App): Promise<readonly string[]> {
  const { queries } = await app.savedQueries();
  const bounded = Object.keys(key.pins).length > 0 || key.maxRows !== undefined;
  const names = queries.map(({ name }) => name);
  const empty = key.scopes.filter((scope) => scope !== OVERSIGHT && !names.some((name) => scopeCovers(scope, name)));
  const doubts = empty.map((scope) => {
    const near = scope.includes('*') ? undefined : nearest(scope, names);
    return `no saved query is named ${scope} now${near === undefined ? '' : `; did you mean ${near}?`}`;
  });
  if (Object.keys(key.pins).length > 0 && key.scopes.includes(OVERSIGHT))
    doubts.push(`the key has --pin, so it may not read ${OVERSIGHT}: make another one for that`);
  for (const { name } of queries.filter((query) => bounded && keyAllows(key, query.name))) {
    const plan = await planOf(name, app);
    if (plan === undefined) continue;
    const { parameters } = plan;
    for (const pin of unknownPins(key, { name, parameters })) {
      const near = nearest(
        pin,
        parameters.map((parameter) => parameter.name),
      );
      doubts.push(`${name} has no parameter ${pin}, so the key may not run it${near === undefined ? '' : `; did you mean ${near}?`}`);
    }
    const bar = plan.sandbox ? sandboxBar(key, plan) : undefined;
    if (bar?.kind === 'rows') doubts.push(`${name} takes SQL of callers, but none with this key: it could get around the limit on rows`);
    if (bar?.kind === 'pins')
      doubts.push(
        `${name} takes SQL of callers, but none with this key: not all of its WITH tables filter by ${bar.parameters.join(' and ')}`,
      );
  }
  return doubts;
}

/** Undefined for a query that has no plan now. */
async function planOf(query: string, app: App): Promise<Plan | undefined> {
  try {
    return await app.plan(query);
  } catch (error) {
    if (error instanceof QuernError) return undefined;
    throw error;
  }
}
