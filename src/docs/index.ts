// Every page and schema that is made from the program's own tables.
import { SCHEMAS } from '../cli/commands/schemas.ts';
import { dialectPage } from '../sql/lint/page.ts';
import { commandPages } from './command-pages.ts';
import { configurationPage } from './configuration-page.ts';

/** Path in the repository → contents. */
export async function madeFiles(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>([
    ['docs/configuration.md', configurationPage()],
    ['docs/dialect.md', dialectPage()],
  ]);
  for (const [name, text] of await commandPages()) files.set(`docs/commands/${name}`, text);
  for (const [kind, schema] of Object.entries(SCHEMAS)) files.set(`schemas/${kind}.json`, `${JSON.stringify(schema(), null, 2)}\n`);
  return files;
}
