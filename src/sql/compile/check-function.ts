// Checks a file with a CREATE FUNCTION before any query calls it.
import { QuernError } from '../../base/errors.ts';
import type { SourceText, Span } from '../../base/source-text.ts';
import { fail } from '../base/fail.ts';
import { findFunction } from '../functions/index.ts';
import { parseFunctionFile } from '../syntax/parser/parse-script.ts';
import type { TranslateOptions } from '../translation.ts';
import { translate } from './compile.ts';

/**
 * Throws the error that a query which calls the function would meet, or says that no query can call it. A function that takes ANY TYPE is only
 * parsed: the meaning of its body depends on the call.
 */
export function checkFunctionFile(source: SourceText, options: TranslateOptions): void {
  try {
    const { kind, name, parameters } = parseFunctionFile(source.text);
    if (findFunction(name.name.toUpperCase()) !== undefined)
      fail(
        'config',
        name.span,
        `${name.name} is a function of BigQuery, and queries would call that one instead of this`,
        'give it another name',
      );
    if (parameters.some(({ type }) => type === null)) return;
    const nullOf = ({ start, end }: Span): string => `CAST(NULL AS ${source.text.slice(start, end)})`;
    const nulls = parameters.map(({ type }) => {
      if (type?.name !== 'TABLE') return type === null ? 'NULL' : nullOf(type.span);
      return `(SELECT ${type.fields.map((field) => `${nullOf(field.type.span)} AS \`${field.name?.name ?? ''}\``).join(', ')})`;
    });
    const others = (options.functions ?? []).filter(({ text }) => text !== source.text);
    translate(`SELECT ${kind === 'create_function' ? '' : '* FROM '}\`${name.name}\`(${nulls.join(', ')})`, {
      ...options,
      functions: [...others, source],
    });
  } catch (error) {
    if (!(error instanceof QuernError) || error.details.source !== undefined) throw error;
    const { span = { start: 0, end: 0 } } = error.details;
    throw new QuernError(error.code, error.message, {
      ...error.details,
      span: { start: Math.min(span.start, source.text.length), end: Math.min(span.end, source.text.length) },
      source,
    });
  }
}
