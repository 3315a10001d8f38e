// Texts that the browser stores for this page. Where its storage is switched off, a text lasts as long as the page.

export function storedText(storage: 'localStorage' | 'sessionStorage', name: string) {
  let current = '';
  return {
    /** Returns '' where there is no text. */
    get() {
      try {
        return window[storage].getItem(name) ?? '';
      } catch {
        return current; // storage is switched off
      }
    },
    set(text: string) {
      current = text;
      try {
        if (text === '') window[storage].removeItem(name);
        else window[storage].setItem(name, text);
      } catch {
        // As above, or it is full.
      }
    },
  };
}

/** Reads a text as a list in JSON without the items of other kinds; returns an empty list for any other text. */
export function listIn<Item>(text: string, isItem: (value: unknown) => value is Item): readonly Item[] {
  try {
    const list: unknown = JSON.parse(text || '[]');
    return Array.isArray(list) ? list.filter(isItem) : [];
  } catch {
    return [];
  }
}
