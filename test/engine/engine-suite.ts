// What every engine promises, run on each: the same rows, errors, limits, cancellation, streams.
import type { Engine } from '../../src/engine/engine.ts';
import { describeBindings } from './bindings-suite.ts';
import { describeFailures } from './failures-suite.ts';
import { describeLimits } from './limits-suite.ts';
import { describeResultSize } from './result-size-suite.ts';
import { describeResults } from './results-suite.ts';
import { describeStreams } from './streams-suite.ts';

/** Registers the tests; `engine` is asked for while a test runs, and `observer` what it does, on the same server or in the same process. */
export function describeEngine(name: string, engine: () => Engine, observer = engine): void {
  describeBindings(name, engine);
  describeResults(name, engine);
  describeFailures(name, engine);
  describeLimits(name, engine, observer);
  describeResultSize(name, engine);
  describeStreams(name, engine, observer);
}
