// The translator's only door: BigQuery text in, ClickHouse text out. Pure: no I/O, no clock.

export { checkFunctionFile } from './compile/check-function.ts';
export { explainLogical, type LogicalSteps, translate } from './compile/compile.ts';
export { findNames, type NamesFound } from './compile/find-names.ts';
export { explainBuckets, loweredParts, translateSandboxed, translateSpecializable, unfilteredBySandbox } from './compile/for-runs.ts';
export { settingsNeeded } from './compile/settings-needed.ts';
export { absentCallsOf } from './lint/absent-calls.ts';
export { aggregateCalls, calledName } from './lint/aggregate-calls.ts';
export { type FidelityNote, fidelityNotesOf, isCall, isQuery, isSelect, visitNodes } from './lint/fidelity-notes.ts';
export { type DialectFunction, dialectFunctions } from './lint/function-list.ts';
export { warningsOf } from './lint/warnings.ts';
export type { Call, Cte, Path, Query, Script, Select, TableName } from './syntax/ast.ts';
export { formatQuery, type KeywordCase } from './syntax/formatter/format.ts';
export { RESERVED as KEYWORDS } from './syntax/keywords.ts';
export { isFunctionFile, parseScript as parse, parseText } from './syntax/parser/parse-script.ts';
export type { LoweredPart, TranslatedColumn, TranslatedParameter, TranslateOptions, Translation, UnfilteredTable } from './translation.ts';
