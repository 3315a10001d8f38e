// Names of tables of the user's own in the embedded store.

/** Their database: names that quern may give to log sources one day are free there. */
export const TABLES_DATABASE = 'quern_tables';
