// Finds what each comment of a query is about: a query with a name, one of its clauses, or one of its columns.
import type { Span } from '../../base/source-text.ts';
import { impliedName } from '../analyzer/names/implied-name.ts';
import type { PipeOperator, Query, QueryBody, Select, SelectItem, TableExpr } from '../syntax/ast.ts';
import { COMMENT } from '../syntax/lexer/comments.ts';
import { tokenize } from '../syntax/lexer/lexer.ts';
import type { Clause } from '../target/ast.ts';
import type { CommentPlace, CommentPlaces, PlacedComment } from '../target/with-comments.ts';

/** A part of a query, and what comments in it and before it are about. */
interface Unit {
  readonly span: Span;
  readonly place: CommentPlace;
}

interface Block {
  /** From the end of the token before it to the start of the token behind it, so that comments above and below are in it. */
  readonly span: Span;
  readonly start: number;
  readonly head: CommentPlace;
  /** In the order of the text. */
  readonly units: readonly Unit[];
}

/** Returns the places of the comments within `range`, which holds all of `query`. */
export function commentPlaces(text: string, query: Query, range: Span): CommentPlaces {
  const { tokens } = tokenize(text);
  const before = new Map(tokens.map(({ start }, i) => [start, tokens[i - 1]?.end ?? 0]));
  const after = new Map(tokens.map(({ end }, i) => [end, tokens[i + 1]?.start ?? end]));
  const reader = new BlockReader(({ start, end }) => ({ start: before.get(start) ?? start, end: after.get(end) ?? end }));
  reader.query(query, { query: '', input: 0 });
  const comments: PlacedComment[] = [];
  let at = 0;
  for (const { start, end } of tokens) {
    for (const { 0: comment, index } of text.slice(at, start).matchAll(COMMENT)) {
      const place = at + index;
      if (place < range.start || place >= range.end) continue;
      const ownLine = text.slice(text.lastIndexOf('\n', place) + 1, place).trim() === '';
      comments.push({ lines: linesOf(comment), ...placeOf({ start: place, ownLine }, reader.blocks) });
    }
    at = end;
  }
  return { comments, within: reader.within };
}

/** Returns the lines of a comment without its marks, and without the stars and blanks that a block of lines begins with. */
function linesOf(comment: string): readonly string[] {
  if (comment.startsWith('#')) return [comment.slice(1).trim()];
  if (comment.startsWith('--')) return [comment.replace(/^-+/, '').trim()];
  const lines = comment
    .slice(2, -2)
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*\*+(?=\s|$)/, '').trim());
  return lines.filter((line, i) => line !== '' || (i > 0 && i < lines.length - 1));
}

/** A comment at the end of a line is about what stands before it, one on a line of its own about what follows. */
function placeOf({ start, ownLine }: { readonly start: number; readonly ownLine: boolean }, blocks: readonly Block[]): CommentPlace {
  const own = blocks
    .filter(({ span }) => span.start <= start && start < span.end)
    .reduce((inner, block) => (block.span.end - block.span.start <= inner.span.end - inner.span.start ? block : inner), blocks[0] as Block); // the text's own query is the first
  if (start < own.start) return own.head;
  const around = own.units.find(({ span }) => span.start <= start && start < span.end);
  const before = own.units.findLast(({ span }) => span.end <= start);
  const after = own.units.find(({ span }) => span.start > start);
  return (around ?? (ownLine ? (after ?? before) : (before ?? after)))?.place ?? own.head;
}

type InQuery = Pick<CommentPlace, 'query' | 'input'>;

class BlockReader {
  readonly blocks: Block[] = [];
  readonly within = new Map<string, string>();
  private readonly withComments: (span: Span) => Span;

  constructor(withComments: (span: Span) => Span) {
    this.withComments = withComments;
  }

  query(query: Query, place: InQuery): void {
    const at = (about: CommentPlace['about']): CommentPlace => ({ ...place, about });
    const { ctes, body, orderBy, limit, pipes } = query;
    const units: Unit[] = ctes.map(({ name, span }) => ({ span, place: { query: name.name.toLowerCase(), input: 0, about: 'head' } }));
    const { start } = body.span;
    if (ctes.length > 0) units.push({ span: { start, end: start }, place: at('select') });
    if (body.kind === 'select') units.push(...unitsOf(body, at));
    if (body.kind === 'from') units.push({ span: body.span, place: at('from') });
    units.push(...clause('orderBy', orderBy, at), ...clause('limit', limit === null ? [] : [limit], at));
    for (const pipe of pipes) units.push(...unitsOfPipe(pipe, at));
    this.blocks.push({
      span: this.withComments(query.span),
      start: query.span.start,
      head: at('head'),
      units: units.sort((a, b) => a.span.start - b.span.start),
    });
    for (const { name, query: inner } of ctes) this.named(inner, name.name, place);
    this.body(body, place);
    for (const pipe of pipes) if (pipe.kind === 'pipe_join') this.table(pipe.right, place);
  }

  private body(body: QueryBody, place: InQuery): void {
    if (body.kind === 'query') this.query(body, place);
    else if (body.kind === 'from') this.table(body.from, place);
    else if (body.kind === 'set_operation') for (const [i, input] of body.inputs.entries()) this.input(input, { ...place, input: i });
    else if (body.from !== null) this.table(body.from, place);
  }

  private input(input: QueryBody, place: InQuery): void {
    if (input.kind === 'select')
      this.blocks.push({
        span: this.withComments(input.span),
        start: input.span.start,
        head: { ...place, about: 'select' },
        units: unitsOf(input, (about) => ({ ...place, about })),
      });
    this.body(input, place);
  }

  private table(table: TableExpr, place: InQuery): void {
    if (table.kind === 'join') {
      this.table(table.left, place);
      this.table(table.right, place);
    } else if (table.kind === 'parenthesised_join') this.table(table.join, place);
    else if (table.kind === 'table_subquery' && table.alias === null) this.query(table.query, place);
    else if (table.kind === 'table_subquery') this.named(table.query, table.alias?.name ?? '', place);
  }

  private named(query: Query, name: string, { query: outer }: InQuery): void {
    this.within.set(name.toLowerCase(), outer);
    this.query(query, { query: name.toLowerCase(), input: 0 });
  }
}

type At = (about: CommentPlace['about']) => CommentPlace;

/** Returns the unit of a clause, if the query has it. */
function clause(about: Clause, parts: readonly { readonly span: Span }[], at: At): readonly Unit[] {
  const [first] = parts;
  const last = parts.at(-1);
  return first === undefined || last === undefined ? [] : [{ span: { start: first.span.start, end: last.span.end }, place: at(about) }];
}

function unitsOf({ items, from, where, groupBy, having, qualify }: Select, at: At): readonly Unit[] {
  const parts = { from, where, groupBy, having, qualify };
  return [
    ...items.map((item) => unitOfItem(item, at)),
    ...Object.entries(parts).flatMap(([about, part]) => clause(about as keyof typeof parts, part === null ? [] : [part], at)),
  ];
}

function unitOfItem(item: SelectItem, at: At): Unit {
  const column = item.kind === 'expr_item' ? (item.alias?.name ?? impliedName(item.value)) : null;
  return { span: item.span, place: at(column === null ? 'head' : { column: column.toLowerCase() }) };
}

const PIPES: { readonly [K in PipeOperator['kind']]?: Clause } = {
  pipe_where: 'where',
  pipe_order_by: 'orderBy',
  pipe_limit: 'limit',
  pipe_join: 'from',
};

function unitsOfPipe(pipe: PipeOperator, at: At): readonly Unit[] {
  if (pipe.kind === 'pipe_aggregate')
    return [...pipe.items.map((item) => unitOfItem(item, at)), ...clause('groupBy', pipe.groupBy === null ? [] : [pipe.groupBy], at)];
  if (pipe.kind === 'pipe_select' || pipe.kind === 'pipe_extend') return pipe.items.map((item) => unitOfItem(item, at));
  return [{ span: pipe.span, place: at(PIPES[pipe.kind] ?? 'head') }];
}
