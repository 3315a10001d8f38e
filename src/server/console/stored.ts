// What the browser keeps for this page. Where it keeps nothing, a text lasts as long as the page.

interface StoredText {
  /** '' for none. */
  get(): string;
  set(text: string): void;
}

export function storedText(storage: 'localStorage' | 'sessionStorage', name: string): StoredText {
  let current = '';
  return {
    get() {
      try {
        return window[storage].getItem(name) ?? '';
      } catch {
        return current; // storage is switched off
      }
    },
    set(text) {
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

/** The list that a text is in JSON; none where it is not ours. */
export function listIn<Item>(text: string, isItem: (value: unknown) => value is Item): readonly Item[] {
  try {
    const list: unknown = JSON.parse(text || '[]');
    return Array.isArray(list) ? list.filter(isItem) : [];
  } catch {
    return [];
  }
}
