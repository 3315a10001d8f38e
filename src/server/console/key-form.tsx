// Asks for the API key.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Failure } from './server.ts';

export interface KeyFormProps {
  /** What the server says of the key that was tried, or that there was none. */
  readonly failure: Failure;
  readonly wasTried: boolean;
  readonly onKey: (key: string) => void;
}

export function KeyForm({ failure: { message, hint }, wasTried, onKey }: KeyFormProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    if (key === '') input.current?.focus();
    else onKey(key);
  };
  const error = [message, hint].filter(Boolean).join('; ');
  const note = wasTried ? { class: 'field-error', role: 'alert' as const } : { class: 'hint' };
  return (
    <form class="key-form" novalidate onSubmit={submit}>
      <h1>API key</h1>
      <p>
        This server requires an API key. Create one with <code>quern keys create</code>.
      </p>
      <label for="key">Key</label>
      <input
        id="key"
        ref={input}
        type="password"
        autocomplete="off"
        spellcheck={false}
        required
        aria-describedby="key-told"
        aria-invalid={wasTried || undefined}
      />
      <p id="key-told" key={error} {...note}>
        {wasTried ? error : 'It is kept for this tab only, and sent only to this server.'}
      </p>
      <button type="submit" class="primary">
        Use this key
      </button>
    </form>
  );
}
