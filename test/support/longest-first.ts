// The order of the test files: the longest first, so that no processor is idle at the end. A first run on a machine cannot know how long files
// take, and would begin with those of the most lines.
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** From ten seconds on, the longest first. */
const LONG = [
  'docs/commands',
  'console/views',
  'sql/layouts',
  'cli/export',
  'package/install',
  'engine/server',
  'package/api',
  'console/troubles',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONG.indexOf(relative(join(import.meta.dirname, '..'), moduleId).replace('.test.ts', ''));
      return place === -1 ? LONG.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
