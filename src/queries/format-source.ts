// Formats the SQL of a saved query; its header stays as it is.
import { QuernError } from '../base/errors.ts';
import type { SourceText } from '../base/source-text.ts';
import { formatQuery, type KeywordCase } from '../sql/index.ts';
import { parseSavedQuery } from './header/header.ts';

export type { KeywordCase } from '../sql/index.ts';

/** The formatted text; undefined for ClickHouse SQL, which quern does not parse. Throws QuernError for what is no saved query. */
export function formatSource(source: SourceText, keywords: KeywordCase | undefined): string | undefined {
  try {
    const { dialect } = parseSavedQuery(source, source.name);
    return dialect === 'clickhouse' ? undefined : formatQuery(source.text, keywords);
  } catch (error) {
    throw error instanceof QuernError ? error.in(source) : error;
  }
}
