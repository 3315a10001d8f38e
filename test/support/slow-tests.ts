// Which test files are slow: those that start processes, themselves or through a helper, and those that go on for long with what others test.
import { importsOf, textsOf } from './source-imports.ts';

/** A test that reaches one of these starts the built command, a ClickHouse server, Redis, a browser, an editor, a package manager. */
const STARTERS = ['node:child_process', 'playwright-core'];

/** Texts as large as callers may make them, and random histories of a table. */
const STRESS = ['test/sql/hostile/hostile.test.ts', 'test/execution/buckets.test.ts', 'test/execution/buckets-store.test.ts'];

/** Paths in the project. */
export function slowTests(): readonly string[] {
  const texts = textsOf('test');
  const imports = importsOf(texts).filter(({ kind }) => kind !== 'type');
  const reached = new Set([...STARTERS, ...STRESS]);
  for (const file of reached) for (const { from, to } of imports) if (to === file) reached.add(from);
  return [...texts.keys()].filter((file) => file.endsWith('.test.ts') && reached.has(file));
}
