// A project folder with files that the engine itself has written.
import { openEmbedded } from '../../../src/engine/embedded/embedded.ts';
import { type CliHome, type CliResult, cliHome } from '../../support/run-cli.ts';

export interface FilesHome extends CliHome {
  /** Writes `select` as a file of the engine's `format`, in the folder; the name's ending says how it is compressed. */
  make(file: string, format: string, select: string): Promise<void>;
  /** Rows of a query without a header, as NDJSON. */
  rows(sql: string): Promise<string>;
  query(sql: string, flags?: readonly string[]): Promise<CliResult>;
}

export function filesHome(): FilesHome {
  const home = cliHome();
  let queries = 0;
  const query: FilesHome['query'] = (sql, flags = []) => home.run(['run', `./${home.write(`q${++queries}.sql`, sql)}`, ...flags]);
  return {
    ...home,
    query,
    async make(file, format, select) {
      home.write(`${file}.old`, '');
      const engine = await openEmbedded({ path: `${home.folder}/making` });
      try {
        await engine.command(`${select} INTO OUTFILE '${home.folder}/${file}' TRUNCATE FORMAT ${format}`);
      } finally {
        await engine.close();
      }
    },
    async rows(sql) {
      const { stdout, stderr, exitCode } = await query(sql);
      if (exitCode !== 0) throw new Error(stderr);
      return stdout;
    },
  };
}
