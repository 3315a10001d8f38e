// The saved queries that a reader has starred: names only, kept in this browser.
import { listIn, storedText } from './stored.ts';

const stored = storedText('localStorage', 'quern-favourites');

export const favourites = (): readonly string[] => listIn(stored.get(), (name) => typeof name === 'string');

export function setFavourite(name: string, isFavourite: boolean): void {
  const others = favourites().filter((one) => one !== name);
  const names = isFavourite ? [...others, name] : others;
  stored.set(names.length === 0 ? '' : JSON.stringify(names));
}
