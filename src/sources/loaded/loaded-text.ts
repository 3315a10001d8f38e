// What queries can read of what was loaded, as one text: it is known without looking at a table.
import type { LoadedSources } from '../place.ts';

export function loadedText({ sources, tables }: LoadedSources): string {
  const facts = Object.entries(sources).flatMap(([name, source]) => [
    ...(source?.severalElements === true ? [name] : []),
    ...(source?.referenceEverywhere === true ? [] : [`${name}?`]),
  ]);
  const shapes = Object.values(tables).map(({ name, columns }) => JSON.stringify([name, columns]));
  return [...facts.sort(), ...shapes.sort()].join(' ');
}
