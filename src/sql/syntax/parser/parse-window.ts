// Reads windows: OVER (…), named windows and frames.
import type { FrameBound, Select, WindowRef } from '../ast.ts';
import { isName, parseList, parseName, takeName } from './parse-name.ts';
import { parseOrderBy } from './parse-order.ts';
import { type Parser, parseExpression } from './parser.ts';

/** Reads the window after OVER: a name or a window in parentheses. */
export function parseOver(s: Parser): WindowRef {
  const { start } = s.token;
  if (!s.is('(')) {
    const base = parseName(s, '"(" or the name of a window');
    return { kind: 'window', base, bare: true, partitionBy: [], orderBy: [], frame: null, span: s.span(start) };
  }
  s.expect('(');
  const base = isName(s.token) ? takeName(s) : null;
  const partitionBy = s.take('PARTITION') ? parsePartition(s) : [];
  const orderBy = parseOrderBy(s);
  const frame = parseFrame(s);
  if (!s.take(')')) s.fail('")"');
  return { kind: 'window', base, bare: false, partitionBy, orderBy, frame, span: s.span(start) };
}

function parsePartition(s: Parser): WindowRef['partitionBy'] {
  s.expect('BY');
  return parseList(s, parseExpression);
}

function parseFrame(s: Parser): WindowRef['frame'] {
  if (s.is('GROUPS')) throw s.unsupported('BigQuery has no GROUPS frames', 'write ROWS or RANGE');
  const unit = s.takeFirst('ROWS', 'RANGE');
  if (unit === null) return null;
  if (!s.take('BETWEEN')) return { unit, start: parseBound(s), end: { kind: 'current_row', offset: null } };
  const start = parseBound(s);
  s.expect('AND');
  return { unit, start, end: parseBound(s) };
}

function parseBound(s: Parser): FrameBound {
  if (s.take('CURRENT')) {
    s.expect('ROW');
    return { kind: 'current_row', offset: null };
  }
  const offset = s.take('UNBOUNDED') ? null : parseExpression(s);
  const side = (s.takeFirst('PRECEDING', 'FOLLOWING') ?? s.fail('PRECEDING or FOLLOWING')) === 'PRECEDING' ? 'preceding' : 'following';
  return offset === null ? { kind: `unbounded_${side}`, offset } : { kind: side, offset };
}

/** Reads `WINDOW name AS (…), …`, or nothing. */
export function parseWindowClause(s: Parser): Select['windows'] {
  if (!s.take('WINDOW')) return [];
  return parseList(s, (stream) => {
    const name = parseName(stream, 'the name of a window');
    stream.expect('AS');
    return { name, window: parseOver(stream) };
  });
}
