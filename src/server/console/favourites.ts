// The saved queries that a reader has starred: names only, kept in this browser.

const KEY = 'quern-favourites';

export function favourites(): readonly string[] {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(held) ? held.filter((name): name is string => typeof name === 'string') : [];
  } catch {
    return []; // not ours, or not allowed
  }
}

export function setFavourite(name: string, starred: boolean): void {
  const others = favourites().filter((one) => one !== name);
  const names = starred ? [...others, name] : others;
  try {
    if (names.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    // A browser that keeps nothing has no favourites.
  }
}
