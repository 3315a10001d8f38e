// Puts the parts of a query on lines: on one line what fits and was on one, else clauses, items and conditions on lines of their own.
import { branchesOf, type Clause, clausesOf, conditionsOf, isQueryText, itemsOf, statementsOf, windowParts } from './format-clauses.ts';
import { type Comment, firstPiece, type Group, isWord, type Part, type Piece } from './format-pieces.ts';
import { spaceBetween } from './format-spacing.ts';

const WIDTH = 100;
const STEP = 2;

/** The text of the parts. */
export function layOut(parts: readonly Part[]): string {
  let text = '';
  let lineStart = 0;
  let last: Piece | undefined;
  let beforeLast: Piece | undefined;
  let mustBreak = false;
  const said = new Set<Comment>();

  const column = () => text.length - lineStart;
  const atLineStart = () => text.slice(lineStart).trim() === '';
  const pending = (piece: Piece) => piece.comments.filter((comment) => !said.has(comment));

  const breakLine = (indent: number, blankLine: boolean): void => {
    if (text !== '') {
      text = text.slice(0, lineStart) + text.slice(lineStart).trimEnd();
      if (column() > 0) text += '\n';
      if (blankLine && !text.endsWith('\n\n')) text += '\n';
    }
    lineStart = text.length;
    text += ' '.repeat(indent);
    mustBreak = false;
  };
  const say = (comment: Comment, indent: number): void => {
    said.add(comment);
    if (comment.ownLine) breakLine(indent, comment.blankLineBefore);
    else if (!atLineStart() && !/[([\s]$/.test(text)) text += ' ';
    text += comment.text;
    const cut = comment.text.lastIndexOf('\n');
    if (cut !== -1) lineStart = text.length - (comment.text.length - cut - 1);
    mustBreak = comment.toLineEnd || comment.ownLine;
  };
  /** Ends the line before `part`, whose comments stay where they were: behind the line, or above its own. */
  const newLine = (indent: number, part: Part): void => {
    const piece = firstPiece(part);
    for (const comment of pending(piece))
      if (!comment.ownLine && piece.newlineBefore && piece.comments[0] === comment) say(comment, indent);
    for (const comment of pending(piece)) if (comment.ownLine) say(comment, indent);
    breakLine(indent, piece.blankLineBefore);
  };
  const write = (piece: Piece, indent: number): void => {
    for (const comment of pending(piece)) say(comment, indent);
    if (piece.token.kind === 'end') return;
    if (mustBreak) breakLine(indent, false);
    const spaced = last !== undefined && spaceBetween(beforeLast, last, piece);
    if (!atLineStart() && (spaced || /\*\/$/.test(text))) text += ' ';
    text += piece.text;
    const cut = piece.text.lastIndexOf('\n'); // in a string of several lines
    if (cut !== -1) lineStart = text.length - (piece.text.length - cut - 1);
    beforeLast = last;
    last = piece;
  };

  /** The parts on one line, as far as they can be. */
  const flat = (list: readonly Part[], from = { last, beforeLast }): string | undefined => {
    let line = '';
    let [previous, earlier] = [from.last, from.beforeLast];
    for (const piece of piecesOf(list)) {
      if (piece.text.includes('\n')) return undefined;
      for (const comment of pending(piece)) {
        if (comment.toLineEnd || comment.ownLine || comment.text.includes('\n')) return undefined;
        line += `${line === '' ? '' : ' '}${comment.text}`;
      }
      if (line !== '' && (line.endsWith('*/') || (previous !== undefined && spaceBetween(earlier, previous, piece)))) line += ' ';
      line += piece.text;
      [earlier, previous] = [previous, piece];
    }
    return list.some(wasBroken) ? undefined : line;
  };
  const fits = (list: readonly Part[]): boolean => {
    const line = flat(list);
    return line !== undefined && column() + 1 + line.length <= WIDTH;
  };
  const writeAll = (list: readonly Part[], indent: number): void => {
    for (const piece of piecesOf(list)) write(piece, indent);
  };

  const inline = (list: readonly Part[], indent: number): void => {
    list.forEach((part, i) => {
      if (part.kind === 'piece') write(part, indent + STEP);
      else if (fits([part])) writeAll([part], indent);
      else broken(part, indent, isWord(list[i - 1], 'OVER'));
    });
  };
  const lines = (groups: readonly (readonly Part[])[], indent: number): void => {
    for (const group of groups) {
      newLine(indent, group[0] as Part); // no group is empty
      inline(group, indent);
    }
  };
  const broken = (group: Group, indent: number, isWindow: boolean): void => {
    const { open, inner, close } = group;
    if (open.token.text === 'CASE') {
      const [subject = [], ...rest] = isWord(inner[0], 'WHEN') ? [[], ...branchesOf(inner)] : branchesOf(inner);
      write(open, indent);
      inline(subject, indent);
      lines(rest, indent + STEP);
    } else {
      write(open, indent);
      if (isQueryText(inner)) {
        newLine(indent + STEP, inner[0] as Part); // the text of a query is not empty
        query(inner, indent + STEP);
      } else if (isWindow) lines(windowParts(inner), indent + STEP);
      else {
        const items = itemsOf(inner);
        if (items.length > 1) lines(items, indent + STEP);
        else lines(conditionsOf(inner), indent + STEP);
      }
    }
    newLine(indent, close);
    write(close, indent);
  };

  const clause = ({ kind, keyword, body }: Clause, indent: number): void => {
    writeAll(keyword, indent);
    const items = kind === 'list' ? itemsOf(body) : kind === 'condition' ? conditionsOf(body) : [body];
    if (kind === 'with') {
      itemsOf(body).forEach((item, i) => {
        if (i > 0) newLine(indent, item[0] as Part); // no item is empty
        inline(item, indent);
      });
    } else if (
      fits(body) &&
      !items.some(([first], i) => first !== undefined && (i > 0 || kind === 'list') && firstPiece(first).newlineBefore)
    )
      writeAll(body, indent);
    else if (kind === 'list' && !(isWord(keyword[0], 'FROM') && items.length === 1)) lines(items, indent + STEP);
    else
      items.forEach((item, i) => {
        if (i > 0) newLine(indent + STEP, item[0] as Part); // no item is empty
        inline(item, i > 0 ? indent + STEP : indent);
      });
  };

  const query = (list: readonly Part[], indent: number): void => {
    const clauses = clausesOf(list);
    const separate = clauses.some(({ keyword, body }, i) => i > 0 && firstPiece((keyword[0] ?? body[0]) as Part).newlineBefore);
    if (!separate && fits(list)) {
      writeAll(list, indent);
      return;
    }
    clauses.forEach((one, i) => {
      const first = (one.keyword[0] ?? one.body[0]) as Part; // one of both is there
      if (i > 0 && !isWord(first, ';')) newLine(indent, first);
      clause(one, indent);
    });
  };

  const isEnd = (part: Part): boolean => part.kind === 'piece' && part.token.kind === 'end';
  const statements = statementsOf(parts.filter((part) => !isEnd(part)));
  const apart = statements.some(([first], i) => i > 0 && first !== undefined && firstPiece(first).newlineBefore);
  for (const [i, statement] of statements.entries()) {
    const [first] = statement;
    if (first !== undefined && (i === 0 || apart || !fits(statement))) newLine(0, first);
    query(statement, 0);
  }
  writeAll(parts.filter(isEnd), 0);
  return `${text.trimEnd()}\n`;
}

function* piecesOf(parts: readonly Part[]): Generator<Piece> {
  for (const part of parts) {
    if (part.kind === 'piece') yield part;
    else {
      yield part.open;
      yield* piecesOf(part.inner);
      yield part.close;
    }
  }
}

/** Who has written the inside of a group on lines of its own wants it so. */
function wasBroken(part: Part): boolean {
  if (part.kind === 'piece') return false;
  const [first] = part.inner;
  if (first === undefined) return false;
  const isCase = part.open.token.text === 'CASE';
  const opened = isCase
    ? part.inner.some((inner) => isWord(inner, 'WHEN') && firstPiece(inner).newlineBefore)
    : firstPiece(first).newlineBefore;
  const clauses = !isCase && isQueryText(part.inner) ? clausesOf(part.inner).slice(1) : [];
  return (
    opened || clauses.some(({ keyword, body }) => firstPiece((keyword[0] ?? body[0]) as Part).newlineBefore) || part.inner.some(wasBroken)
  );
}
