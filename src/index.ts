// The public API of the package: the translator, and a client that runs saved queries and SQL from a script.
export { type ErrorCode, type ErrorDetails, type Problem, QuernError } from './base/errors.ts';
export type { ResultColumn, Value } from './base/result.ts';
export { type Position, positionAt, type SourceText, type Span } from './base/source-text.ts';
export type {
  QuernAssertion,
  QuernCheck,
  QuernCheckReport,
  QuernExplanation,
  QuernFinding,
  QuernResult,
  QuernRow,
  QuernStream,
} from './library/answers.ts';
export { openQuern, type Quern } from './library/client.ts';
export type {
  QuernCheckOptions,
  QuernFormatOptions,
  QuernOptions,
  QuernRunOptions,
  QuernSql,
  QuernStreamOptions,
} from './library/options.ts';
export type { Type } from './sql/base/types.ts';
export { parse, type Script, type TranslatedColumn, type TranslatedParameter, type Translation } from './sql/index.ts';
export type { Source, SourceCatalog } from './sql/source.ts';
export { type TranslateOptions, translate } from './translate.ts';
