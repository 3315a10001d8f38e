// Names of saved queries for queries that were called something else.
import { isQueryName } from '../queries/catalog.ts';
import { isUuid } from '../queries/header/text.ts';

const LONGEST = 100;

/** A name that a file can have, as near to the old one as may be; '' when nothing is left of it. */
export function queryName(old: string): string {
  if (isQueryName(old) && !old.startsWith('-') && old.length <= LONGEST && !isUuid(old)) return old;
  const plain = old
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/(?:[.-]*\.){2,}|\.-+|-+\./g, '.')
    .slice(0, LONGEST)
    .replace(/^[.-]+|[.-]+$/g, '')
    .replace(/\.sql$/i, '-sql');
  return isUuid(plain) ? `endpoint-${plain}` : plain; // as it is, it would be looked up by id
}

/** The name, or with a number behind it one that is not in `taken`; letters' case does not tell two files apart everywhere. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${name}-${n}`;
  return free;
}
