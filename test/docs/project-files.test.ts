// The quern.yaml files that pages show are taken by quern, also where their tables are not at hand.
import { expect, onTestFinished, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';
import { blocksOf, pages, pageText } from './pages.ts';

const files = pages.flatMap((page) =>
  blocksOf(pageText(page))
    .filter(({ language, lines }) => language === 'yaml' && /^(queries|sources|profiles):/m.test(lines.join('\n')))
    .map(({ lines }): [string, string] => [page, lines.join('\n')]),
);

test.each(files)('a quern.yaml of %s', async (_, text) => {
  const home = cliHome();
  onTestFinished(() => home.remove());
  home.write('quern.yaml', `${text}\n`);
  const { stderr, exitCode } = await home.run(['config', 'list', '--format', 'csv']);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  // Sections are read when something is asked of them.
  const { stderr: translated } = await home.run(['translate', home.write('q.sql', 'select 1 as one')]);
  expect(translated).toBe('');
});
