// The API key: asked for once, kept for this tab only.
import { element } from './element.ts';
import type { Failure } from './server.ts';

const STORED = 'quern-key';

interface KeyHolder {
  get(): string;
  set(key: string): void;
}

/** Where the browser keeps nothing, the key lasts as long as the page. */
export function createKeyHolder(): KeyHolder {
  let held = '';
  try {
    held = sessionStorage.getItem(STORED) ?? '';
  } catch {
    // Storage is switched off.
  }
  return {
    get: () => held,
    set(key) {
      held = key;
      try {
        if (key === '') sessionStorage.removeItem(STORED);
        else sessionStorage.setItem(STORED, key);
      } catch {
        // As above.
      }
    },
  };
}

/** `failure` is what the server says of the key that was tried, or that there was none. */
export function keyForm(failure: Failure, tried: boolean, onKey: (key: string) => void): HTMLElement {
  const input = element('input', {
    id: 'key',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    'aria-describedby': 'key-told',
    'aria-invalid': tried ? 'true' : undefined,
  });
  const told = tried
    ? element('p', { id: 'key-told', class: 'field-error', role: 'alert' }, [failure.message, failure.hint].filter(Boolean).join('; '))
    : element('p', { id: 'key-told', class: 'hint' }, 'It is kept for this tab only, and sent only to this server.');
  const form = element(
    'form',
    {
      class: 'key-form',
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault();
        if (input.value.trim() !== '') onKey(input.value.trim());
        else input.focus();
      },
    },
    element('h1', {}, 'API key'),
    element('p', {}, 'This server requires an API key. Create one with ', element('code', {}, 'quern keys create'), '.'),
    element('label', { for: 'key' }, 'Key'),
    input,
    told,
    element('button', { type: 'submit', class: 'primary' }, 'Use this key'),
  );
  queueMicrotask(() => input.focus());
  return form;
}
