// Warns about a new key that does not fit the saved queries; the key is still made, as they may come later.
import { nearest, QuernError } from '../../../base/errors.ts';
import { prepare } from '../../../execution/prepare.ts';
import type { PreparedQuery } from '../../../execution/prepared-query.ts';
import { type Key, keyAllows, OVERSIGHT, RIGHTS, scopeCovers } from '../../../server/keys/key.ts';
import { sandboxBar, unknownPins } from '../../../server/keys/pinned-arguments.ts';
import type { Parts } from '../../parts.ts';

export async function warningsAbout(key: Key, { catalog, preparing }: Parts): Promise<readonly string[]> {
  const { queries } = await (await catalog()).list();
  const bounded = Object.keys(key.pins).length > 0 || key.maxRows !== undefined;
  const names = queries.map(({ name }) => name);
  const empty = key.scopes.filter((scope) => !RIGHTS.includes(scope) && !names.some((name) => scopeCovers(scope, name)));
  const warnings = empty.map((scope) => {
    const near = scope.includes('*') ? undefined : nearest(scope, names);
    return `no saved query ${scope.includes('*') ? 'matches' : 'is called'} ${scope} yet${near === undefined ? '' : `; did you mean ${near}?`}`;
  });
  if (Object.keys(key.pins).length > 0 && key.scopes.includes(OVERSIGHT))
    warnings.push(`a key with --pin may not read ${OVERSIGHT}: create another key for that`);
  for (const { name } of queries.filter((query) => bounded && keyAllows(key, query.name))) {
    const prepared = await preparedOf(name, preparing);
    if (prepared === undefined) continue;
    const { parameters } = prepared;
    for (const pin of unknownPins(key, { name, parameters })) {
      const near = nearest(
        pin,
        parameters.map((parameter) => parameter.name),
      );
      warnings.push(`${name} has no parameter ${pin}, so the key cannot run it${near === undefined ? '' : `; did you mean ${near}?`}`);
    }
    const bar = prepared.sandbox ? sandboxBar(key, prepared) : undefined;
    if (bar?.kind === 'rows')
      warnings.push(`${name} accepts SQL from callers, but not with this key: that SQL could get around the limit on rows`);
    if (bar?.kind === 'pins')
      warnings.push(
        `${name} accepts SQL from callers, but not with this key: not all of its WITH tables filter by ${bar.parameters.join(' and ')}`,
      );
  }
  return warnings;
}

/** Returns undefined for a query that cannot be prepared now. */
async function preparedOf(query: string, preparing: Parts['preparing']): Promise<PreparedQuery | undefined> {
  try {
    return await prepare({ query }, await preparing());
  } catch (error) {
    if (error instanceof QuernError) return undefined;
    throw error;
  }
}
