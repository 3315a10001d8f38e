// Finds the calls of BigQuery's functions that are not translated, in the text alone, without any table.
import type { Span } from '../../base/source-text.ts';
import { absentFunction } from '../functions/absent.ts';
import type { Script } from '../syntax/ast.ts';
import { calledName } from './aggregate-calls.ts';
import { isCall, visitNodes } from './fidelity-notes.ts';

interface AbsentCall {
  readonly name: string;
  readonly reason: string;
  readonly instead?: string | undefined;
  readonly span: Span;
}

/** Returns the calls in the order of the text; functions that the text itself defines are none of them. */
export function absentCallsOf(script: Script): readonly AbsentCall[] {
  const own = new Set(script.functions.map(({ name }) => name.name.toUpperCase()));
  const calls: AbsentCall[] = [];
  visitNodes(script, (node) => {
    if (!isCall(node)) return;
    const name = calledName(node);
    const absent = own.has(name) ? undefined : absentFunction(name);
    if (absent !== undefined) calls.push({ name, reason: absent.reason, instead: absent.instead, span: node.span });
  });
  return calls.sort((a, b) => a.span.start - b.span.start);
}
