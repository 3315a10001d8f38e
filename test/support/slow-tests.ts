// Which test files are slow: those that start processes, themselves or through a helper, and those of texts as large as callers may make them.
import { importsOf, textsOf } from './source-imports.ts';

/** A test that reaches one of these starts the built command, a browser, an editor, a package manager, Redis. */
const STARTERS = ['node:child_process', 'playwright-core'];

/** A ClickHouse server costs no more than two or three queries: 0.15 s of processor time. */
const CHEAP = 'test/support/clickhouse-server.ts';

const LARGE = 'test/sql/hostile/';

/** Paths in the project. */
export function slowTests(): readonly string[] {
  const texts = textsOf('test');
  const imports = importsOf(texts).filter(({ from, kind }) => kind !== 'type' && from !== CHEAP);
  const reached = new Set(STARTERS);
  for (const file of reached) for (const { from, to } of imports) if (to === file) reached.add(from);
  return [...texts.keys()].filter((file) => file.endsWith('.test.ts') && (reached.has(file) || file.startsWith(LARGE)));
}
