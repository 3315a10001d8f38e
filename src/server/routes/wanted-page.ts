// The page of the rows that a caller asks for: its size, and where it begins in rows that are kept from the first page on.
import { QuernError } from '../../base/errors.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import { shown } from '../../queries/parameter-value.ts';
import type { ParameterDeclaration } from '../../queries/saved-query.ts';
import type { WantedPage } from '../answers/answer.ts';
import { readPageToken } from '../answers/endpoint-pages.ts';

type Compat = 'logflare' | undefined;

const SIZE = 'page_size';
const PAGE = 'page';
const MOST_ROWS = 100_000;

const optional = { type: 'integer', array: false, required: false } as const;
/** The descriptions in OpenAPI. */
export const PAGE_PARAMETERS: readonly ParameterDeclaration[] = [
  { ...optional, name: SIZE, description: 'the most rows of a reply, whose header Link leads to the next ones' },
  { ...optional, name: PAGE, type: 'string', description: 'as Link gives it' },
];

/** True if the names are not parameters of the query itself. */
export const takesPages = ({ parameters }: Pick<PreparedQuery, 'parameters'>, compat: Compat): boolean =>
  compat === undefined && !parameters.some(({ name }) => name === SIZE || name === PAGE);

/** Returns undefined where all rows are wanted. Throws `parameter` for what is no size and no page. */
export function readWantedPage(
  prepared: Pick<PreparedQuery, 'parameters'>,
  given: Readonly<Record<string, unknown>>,
  compat: Compat,
): WantedPage | undefined {
  const { [SIZE]: size, [PAGE]: page } = given;
  if (!takesPages(prepared, compat) || (isAbsent(size) && isAbsent(page))) return undefined;
  const rows = /^\d{1,6}$/.test(String(size)) ? Number(size) : 0;
  if (rows < 1 || rows > MOST_ROWS)
    throw invalid(SIZE, isAbsent(size) ? 'is missing' : `${shown(size)} is not a number from 1 to ${MOST_ROWS}`);
  if (isAbsent(page)) return { size: rows };
  const token = readPageToken(String(page));
  if (token === undefined) throw invalid(PAGE, `${shown(page)} is not a page: take the address in the header Link`);
  return { size: rows, token };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

const invalid = (name: string, message: string): QuernError =>
  new QuernError('parameter', `${name} is invalid`, { problems: [{ kind: 'invalid', name, message }] });
