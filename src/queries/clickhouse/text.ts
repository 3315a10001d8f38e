// Checks the SQL of a `dialect: clickhouse` query: one SELECT that reads tables of the user's own, with declared parameters.

import { didYouMean, QuernError } from '../../base/errors.ts';
import type { Span } from '../../base/source-text.ts';
import { type ClickHouseToken, isSymbol, tokenizeClickHouse } from '../../clickhouse/lexer.ts';
import { INSTANT_PARAMETER, type TranslatedParameter } from '../../sql/translation.ts';
import { refuseUnused } from '../parameter-names.ts';
import type { SavedQuery } from '../saved-query.ts';
import { checkCalls } from './calls.ts';
import { checkStatement, type Refuse } from './statement.ts';
import { checkTables } from './tables.ts';

interface ClickHouseText {
  /** Without the header, other comments, and the final semicolon. */
  readonly sql: string;
  readonly parameters: readonly TranslatedParameter[];
}

/**
 * The text as it may run. Throws QuernError: `unsupported` for what saved queries may not do, `syntax` for text that cannot be read,
 * `parameter` for names that are not declared, or that may be absent where the type has no NULL; `config` for declared names without use.
 */
export function checkClickHouse(query: SavedQuery): ClickHouseText {
  const { source } = query;
  const tokens = [...tokenizeClickHouse(source)];
  while (isSymbol(tokens.at(-1), ';')) tokens.pop();
  const refuse: Refuse = (token, message, hint) => {
    throw new QuernError('unsupported', message, { source, span: spanOf(token), hint });
  };
  checkStatement(source, tokens, refuse);
  checkTables(tokens, refuse);
  checkCalls(tokens, refuse);
  const last = tokens.at(-1);
  return { sql: withoutComments(source.text, tokens).slice(0, last?.end).trim(), parameters: readParameters(query, tokens) };
}

function readParameters(query: SavedQuery, tokens: readonly ClickHouseToken[]): readonly TranslatedParameter[] {
  const { source } = query;
  const used = new Map<string, TranslatedParameter>();
  for (const token of tokens) {
    if (token.kind !== 'parameter') continue;
    const fail = (message: string, hint: string): never => {
      throw new QuernError('parameter', message, { source, span: spanOf(token), hint });
    };
    const colon = token.text.indexOf(':');
    const name = token.text.slice(1, colon).trim();
    const type = token.text.slice(colon + 1, -1).trim();
    const declared = query.parameters.find((parameter) => parameter.name === name);
    if (/\bidentifier\b/i.test(type)) fail(`{${name}:Identifier} would let callers choose tables`, 'write the table or column in the SQL');
    if (declared === undefined && name !== INSTANT_PARAMETER) {
      fail(
        `{${name}} is not declared`,
        didYouMean(
          name,
          query.parameters.map((parameter) => parameter.name),
        ) ?? `declare it under params: in the header, e.g. ${name}: { type: string }`,
      );
    }
    const other = used.get(name);
    if (other !== undefined && other.type !== type)
      fail(`{${name}} is ${other.type} in one place and ${type} in another`, 'use one type everywhere');
    const mayBeAbsent = declared !== undefined && !declared.required && declared.default === undefined;
    if (mayBeAbsent && !/^(nullable|lowcardinality\(nullable|array)\(/i.test(type)) {
      fail(
        `{${name}:${type}} cannot be NULL, but the parameter may be absent`,
        `write {${name}:Nullable(${type})}, give it a default, or make it required`,
      );
    }
    used.set(name, { name, type });
  }
  refuseUnused(query, (name) => used.has(name));
  return [...used.values()];
}

/** The text with comments blanked: two texts that differ in comments alone share their results, and offsets stay as they are. */
function withoutComments(text: string, tokens: readonly ClickHouseToken[]): string {
  let result = '';
  for (const { start, end } of tokens) result += text.slice(result.length, start).replace(/[^\r\n]/g, ' ') + text.slice(start, end);
  return result;
}

const spanOf = ({ start, end }: ClickHouseToken): Span => ({ start, end });
