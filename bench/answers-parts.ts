// What bench/answers.mjs measures, in one bundle.
export { Cache } from '../src/cache/cache.ts';
export { openEmbedded } from '../src/engine/embedded/embedded.ts';
export { prepare } from '../src/execution/prepare.ts';
export { openCatalog } from '../src/queries/catalog.ts';
export { readArguments } from '../src/queries/parameters.ts';
export { Answers } from '../src/server/answers/answers.ts';
export { fixedSources, fixedVersion } from '../test/support/fixed-sources.ts';
