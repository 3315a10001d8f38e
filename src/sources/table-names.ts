// Names of tables of the user's own in the embedded store.

/** Their database: names that quern may give to log sources one day are free there. */
export const TABLES_DATABASE = 'quern_tables';

/** Returns the table that was loaded under a name, in any case. */
export const tableNamed = <T>({ tables }: { readonly tables: Readonly<Record<string, T>> }, name: string): T | undefined => {
  const key = name.toLowerCase();
  return Object.hasOwn(tables, key) ? tables[key] : undefined;
};
