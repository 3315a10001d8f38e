// Puts the parts of a query on lines: on one line what fits and was on one, else clauses, items and conditions on lines of their own.
import { branchesOf, type Clause, clausesOf, conditionsOf, isQueryText, itemsOf, statementsOf, windowParts } from './format-clauses.ts';
import { type Comment, firstPiece, type Group, isWord, type Part, type Piece } from './format-pieces.ts';
import { spaceBetween } from './format-spacing.ts';

const WIDTH = 100;
const STEP = 2;

/** Writes the text of the parts. */
export const layOut = (parts: readonly Part[]): string => new Layout().text(parts);

class Layout {
  #text = '';
  #lineStart = 0;
  #last: Piece | undefined;
  #beforeLast: Piece | undefined;
  #mustBreak = false;
  readonly #written = new Set<Comment>();

  text(parts: readonly Part[]): string {
    const isEnd = (part: Part): boolean => part.kind === 'piece' && part.token.kind === 'end';
    const statements = statementsOf(parts.filter((part) => !isEnd(part)));
    const apart = statements.some(([first], i) => i > 0 && first !== undefined && firstPiece(first).newlineBefore);
    for (const [i, statement] of statements.entries()) {
      const [first] = statement;
      if (first !== undefined && (i === 0 || apart || !this.#fits(statement))) this.#newLine(0, first);
      this.#query(statement, 0);
    }
    this.#writeAll(parts.filter(isEnd), 0);
    return `${this.#text.trimEnd()}\n`;
  }
  #column(): number {
    return this.#text.length - this.#lineStart;
  }

  #atLineStart(): boolean {
    return this.#text.slice(this.#lineStart).trim() === '';
  }

  #pending(piece: Piece): readonly Comment[] {
    return piece.comments.filter((comment) => !this.#written.has(comment));
  }

  #breakLine(indent: number, { blankLine = false } = {}): void {
    if (this.#text !== '') {
      this.#text = this.#text.slice(0, this.#lineStart) + this.#text.slice(this.#lineStart).trimEnd();
      if (this.#column() > 0) this.#text += '\n';
      if (blankLine && !this.#text.endsWith('\n\n')) this.#text += '\n';
    }
    this.#lineStart = this.#text.length;
    this.#text += ' '.repeat(indent);
    this.#mustBreak = false;
  }

  #writeComment(comment: Comment, indent: number): void {
    this.#written.add(comment);
    if (comment.ownLine) this.#breakLine(indent, { blankLine: comment.blankLineBefore });
    else if (!this.#atLineStart() && !/[([\s]$/.test(this.#text)) this.#text += ' ';
    this.#text += comment.text;
    const cut = comment.text.lastIndexOf('\n');
    if (cut !== -1) this.#lineStart = this.#text.length - (comment.text.length - cut - 1);
    this.#mustBreak = comment.toLineEnd || comment.ownLine;
  }

  /** Ends the line before `part`, whose comments stay where they were: behind the line, or above its own. */
  #newLine(indent: number, part: Part): void {
    const piece = firstPiece(part);
    for (const comment of this.#pending(piece))
      if (!comment.ownLine && piece.newlineBefore && piece.comments[0] === comment) this.#writeComment(comment, indent);
    for (const comment of this.#pending(piece)) if (comment.ownLine) this.#writeComment(comment, indent);
    this.#breakLine(indent, { blankLine: piece.blankLineBefore });
  }

  #write(piece: Piece, indent: number): void {
    for (const comment of this.#pending(piece)) this.#writeComment(comment, indent);
    if (piece.token.kind === 'end') return;
    if (this.#mustBreak) this.#breakLine(indent);
    const spaced = this.#last !== undefined && spaceBetween(this.#beforeLast, this.#last, piece);
    if (!this.#atLineStart() && (spaced || /\*\/$/.test(this.#text))) this.#text += ' ';
    this.#text += piece.text;
    const cut = piece.text.lastIndexOf('\n'); // in a string of several lines
    if (cut !== -1) this.#lineStart = this.#text.length - (piece.text.length - cut - 1);
    this.#beforeLast = this.#last;
    this.#last = piece;
  }

  /** Returns the parts on one line, or undefined if they can't be. */
  #flat(list: readonly Part[]): string | undefined {
    let line = '';
    let [previous, earlier] = [this.#last, this.#beforeLast];
    for (const piece of piecesOf(list)) {
      if (piece.text.includes('\n')) return undefined;
      for (const comment of this.#pending(piece)) {
        if (comment.toLineEnd || comment.ownLine || comment.text.includes('\n')) return undefined;
        line += `${line === '' ? '' : ' '}${comment.text}`;
      }
      if (line !== '' && (line.endsWith('*/') || (previous !== undefined && spaceBetween(earlier, previous, piece)))) line += ' ';
      line += piece.text;
      [earlier, previous] = [previous, piece];
    }
    return list.some(wasBroken) ? undefined : line;
  }

  #fits(list: readonly Part[]): boolean {
    const line = this.#flat(list);
    return line !== undefined && this.#column() + 1 + line.length <= WIDTH;
  }

  #writeAll(list: readonly Part[], indent: number): void {
    for (const piece of piecesOf(list)) this.#write(piece, indent);
  }

  #inline(list: readonly Part[], indent: number): void {
    list.forEach((part, i) => {
      if (part.kind === 'piece') this.#write(part, indent + STEP);
      else if (this.#fits([part])) this.#writeAll([part], indent);
      else this.#broken(part, indent, { isWindow: isWord(list[i - 1], 'OVER') });
    });
  }

  #lines(groups: readonly (readonly Part[])[], indent: number): void {
    for (const group of groups) {
      this.#newLine(indent, group[0] as Part); // no group is empty
      this.#inline(group, indent);
    }
  }

  #broken({ open, inner, close }: Group, indent: number, { isWindow }: { readonly isWindow: boolean }): void {
    if (open.token.text === 'CASE') {
      const [subject = [], ...rest] = isWord(inner[0], 'WHEN') ? [[], ...branchesOf(inner)] : branchesOf(inner);
      this.#write(open, indent);
      this.#inline(subject, indent);
      this.#lines(rest, indent + STEP);
    } else {
      this.#write(open, indent);
      if (isQueryText(inner)) {
        this.#newLine(indent + STEP, inner[0] as Part); // the text of a query is not empty
        this.#query(inner, indent + STEP);
      } else if (isWindow) this.#lines(windowParts(inner), indent + STEP);
      else {
        const items = itemsOf(inner);
        if (items.length > 1) this.#lines(items, indent + STEP);
        else this.#lines(conditionsOf(inner), indent + STEP);
      }
    }
    this.#newLine(indent, close);
    this.#write(close, indent);
  }

  #clause({ kind, keyword, body }: Clause, indent: number): void {
    this.#writeAll(keyword, indent);
    let items: readonly (readonly Part[])[] = [body];
    if (kind === 'list') items = itemsOf(body);
    if (kind === 'condition') items = conditionsOf(body);
    if (kind === 'with') {
      itemsOf(body).forEach((item, i) => {
        if (i > 0) this.#newLine(indent, item[0] as Part); // no item is empty
        this.#inline(item, indent);
      });
    } else if (
      this.#fits(body) &&
      !items.some(([first], i) => first !== undefined && (i > 0 || kind === 'list') && firstPiece(first).newlineBefore)
    )
      this.#writeAll(body, indent);
    else if (kind === 'list' && !(isWord(keyword[0], 'FROM') && items.length === 1)) this.#lines(items, indent + STEP);
    else
      items.forEach((item, i) => {
        if (i > 0) this.#newLine(indent + STEP, item[0] as Part); // no item is empty
        this.#inline(item, i > 0 ? indent + STEP : indent);
      });
  }

  #query(list: readonly Part[], indent: number): void {
    const clauses = clausesOf(list);
    const separate = clauses.some(({ keyword, body }, i) => i > 0 && firstPiece((keyword[0] ?? body[0]) as Part).newlineBefore);
    if (!separate && this.#fits(list)) {
      this.#writeAll(list, indent);
      return;
    }
    clauses.forEach((one, i) => {
      const first = (one.keyword[0] ?? one.body[0]) as Part; // one of both is there
      if (i > 0 && !isWord(first, ';')) this.#newLine(indent, first);
      this.#clause(one, indent);
    });
  }
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
