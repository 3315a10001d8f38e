// Where the header of a saved query is in its file; needs no YAML, so that finding a query by its UUID stays cheap.
import type { Span } from '../source-text.ts';

const OPENING = /^\s*\/\*---/;

/** Range of the YAML between the opening and the closing dashes; undefined when the file has no header, `unclosed` when it does not end. */
export function headerSpan(text: string): Span | 'unclosed' | undefined {
  const opening = OPENING.exec(text);
  if (opening === null) return undefined;
  const start = opening[0].length;
  const end = text.indexOf('---*/', start);
  return end === -1 ? 'unclosed' : { start, end };
}

/** UUIDs that stand behind an `id:` in the header. Which of them is the query's own, only the real parse can say. */
export function idsInHeader(text: string): readonly string[] {
  const span = headerSpan(text);
  if (span === undefined || span === 'unclosed') return [];
  const found = text
    .slice(span.start, span.end)
    .matchAll(/(?:^|[\s{,"'])id["']?\s*:\s*["']?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi);
  return [...found].map((match) => (match[1] ?? '').toLowerCase());
}

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
