// What stands in the SQL page's editor and fields. It outlives the page in the tab, and gives way to the text of an address.
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Address } from './address.ts';
import { usePage } from './page.ts';
import { storedText } from './stored.ts';

export type SqlDraft = Pick<Address, 'values' | 'types' | 'rows'> & { readonly sql: string };

const stored = storedText('sessionStorage', 'quern-sql');

export function useSqlDraft(): readonly [SqlDraft, (draft: SqlDraft) => void] {
  const { address } = usePage().visit;
  const { sql, values, types, rows } = address;
  const [draft, setDraft] = useState<SqlDraft>({ sql: sql ?? stored.get(), values, types, rows });
  const key = JSON.stringify([sql, values, types, rows]);
  useLayoutEffect(() => {
    if (sql !== undefined) setDraft({ sql, values, types, rows });
  }, [key]);
  const keep = (next: SqlDraft) => {
    stored.set(next.sql);
    setDraft(next);
  };
  return [draft, keep];
}
