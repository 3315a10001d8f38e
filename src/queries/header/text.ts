// Finds the header of a saved query in its file, without YAML, so that finding a query by its UUID stays cheap.
import type { Span } from '../../base/source-text.ts';

const OPENING = /^\s*\/\*---/;

/** Range of the YAML between the opening and the closing dashes; undefined when the file has no header, `unclosed` when it does not end. */
export function headerSpan(text: string): Span | 'unclosed' | undefined {
  const opening = OPENING.exec(text);
  if (opening === null) return undefined;
  const start = opening[0].length;
  const end = text.indexOf('---*/', start);
  return end === -1 ? 'unclosed' : { start, end };
}

/** The same of a header that is closed, and undefined for every other text. */
export function closedHeader(text: string): Span | undefined {
  const span = headerSpan(text);
  return span === 'unclosed' ? undefined : span;
}

/** Returns the offset at which a header declares a parameter. */
export function placeInHeader(text: string, parameter: string): number {
  const { start, end } = closedHeader(text) ?? { start: 0, end: 0 };
  return start + Math.max(0, text.slice(start, end).search(new RegExp(`\\b${parameter}\\b["']?\\s*:`)));
}

const ID_LINE = /^id:\s*["']?([0-9a-f-]{36})/im;
const ID_ANYWHERE = /[{,\s"']id["']?\s*:\s*["']?([0-9a-f-]{36})/i;

/** The UUID that a header seems to give itself, in lower case. Only the real parse can be certain. */
export function idInHeader(text: string): string | undefined {
  const span = closedHeader(text);
  if (span === undefined) return undefined;
  const header = text.slice(span.start, span.end);
  return (ID_LINE.exec(header) ?? ID_ANYWHERE.exec(header))?.[1]?.toLowerCase();
}

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** Returns the offset where the SQL of a text begins: behind its header, and the blank lines after it. */
export function sqlStart(text: string): number {
  const header = closedHeader(text);
  const end = header === undefined ? 0 : header.end + '---*/'.length;
  const rest = text.slice(end);
  return end + (rest.length - rest.trimStart().length);
}
