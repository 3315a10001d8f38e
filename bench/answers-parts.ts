// What bench/answers.mjs measures, in one bundle.
export { openCache } from '../src/cache/cache.ts';
export { openEmbedded } from '../src/engine/embedded/embedded.ts';
export { preparePlan } from '../src/execution/plan.ts';
export { openAnswers } from '../src/http/answers/answers.ts';
export { openCatalog } from '../src/saved-query/catalog.ts';
export { readArguments } from '../src/saved-query/parameters.ts';
