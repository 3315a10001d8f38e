// Which test files are slow: those that start processes or threads, themselves or through a helper, those that go on for long with what others test,
// those that wait for a server, and what becomes of every form of a file.
import { importsOf, textsOf } from './source-imports.ts';

/**
 * Whoever reaches one of these starts the built command, a ClickHouse server, Redis, a browser, an editor, a package manager, or threads that translate;
 * or tries all limits of an engine.
 */
const STARTERS = ['node:child_process', 'playwright-core', 'test/server/translation/worker-support.ts', 'test/engine/engine-suite.ts'];

/** Random texts, texts as large as callers may make them, random histories of a table, all combinations of what others try in pairs. */
const STRESS = /(?:fuzz|hostile|stress|execution\/buckets(?:-store)?)\.test\.ts$/;

/** Every form of files as sources and in loads; of those, the tests of commands and of `test/store` have the usual ones. */
const FILES = /^test\/(?:connection\/files|store\/own)\//;

/** A server that is waited for: it looks now and then whether its data have changed, and gives up an address that says nothing. */
const WAITING = /^test\/connection\/(?:doors|silent-address)\.test\.ts$/;

const SLOW = [STRESS, FILES, WAITING];

/** Paths in the project. */
export function slowTests(): readonly string[] {
  const texts = textsOf('test');
  const imports = importsOf(texts).filter(({ kind }) => kind !== 'type');
  const reached = new Set(STARTERS);
  for (const file of reached) for (const { from, to } of imports) if (to === file) reached.add(from);
  return [...texts.keys()].filter((file) => file.endsWith('.test.ts') && (reached.has(file) || SLOW.some((names) => names.test(file))));
}
