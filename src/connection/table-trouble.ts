// Decides whether a failure may mean that tables are not what they were when they were described.
import { type ErrorCode, QuernError } from '../base/errors.ts';

/** Codes of the translator for a column or a table that it does not know. */
const CODES: readonly ErrorCode[] = ['unknown-column', 'unknown-source', 'config'];

/**
 * ClickHouse's numbers for columns and tables that are not there, or of another type.
 * https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
 */
const NUMBERS: ReadonlySet<number> = new Set([10, 16, 43, 46, 47, 53, 60, 70, 81, 386]);

export function tableTrouble(error: unknown): boolean {
  if (!(error instanceof QuernError)) return false;
  const { engineCode } = error.details;
  return CODES.includes(error.code) || (engineCode !== undefined && NUMBERS.has(engineCode));
}

/** Failures that files which change while they are read may bring about. */
const OF_FILES: readonly ErrorCode[] = [...CODES, 'data', 'engine', 'type'];

export const fileTrouble = (error: unknown): boolean => error instanceof QuernError && OF_FILES.includes(error.code);
