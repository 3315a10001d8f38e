// Finds the names of parameters in the header of a saved query: where it declares them, and where checks give them arguments.
import { isMap, isPair, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import type { Span } from '../../base/source-text.ts';
import { closedHeader } from './text.ts';

interface NamedPlace {
  readonly name: string;
  /** The span of the name in the whole text. */
  readonly span: Span;
  readonly declares: boolean;
}

/** In the order of the text; none for a header that is not YAML. */
export function parameterPlaces(text: string): readonly NamedPlace[] {
  const header = closedHeader(text);
  if (header === undefined) return [];
  const { contents, errors } = parseDocument(text.slice(header.start, header.end));
  if (errors.length > 0 || !isMap(contents)) return [];
  const checks = contents.get('checks');
  const groups = isSeq(checks) ? checks.items.flatMap((item) => (isMap(item) ? namesOf(item, header.start, false) : [])) : [];
  return [...namesOf(contents, header.start, true), ...groups].sort((a, b) => a.span.start - b.span.start);
}

function namesOf(map: YAMLMap, offset: number, declares: boolean): readonly NamedPlace[] {
  const params = map.get('params');
  if (!isMap(params)) return [];
  return params.items.flatMap((pair): readonly NamedPlace[] => {
    if (!isPair(pair) || !isScalar(pair.key) || typeof pair.key.value !== 'string' || !pair.key.range) return [];
    const { value: name, range } = pair.key;
    return [{ name, span: { start: offset + range[0], end: offset + range[1] }, declares }];
  });
}
