// A field for a time: text in any form the server reads, times relative to now, and the browser's picker, which is in UTC here.
import { element } from './element.ts';
import type { Input } from './input.ts';
import { RELATIVE_TIMES, relativeInstant } from './relative-time.ts';

/** `now`: milliseconds since 1970, to which times are relative. */
export function timeInput(id: string, now: () => number, placeholder = '2026-01-31T12:00:00Z or -1h'): Input {
  const text = element('input', {
    id,
    type: 'text',
    placeholder,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    oninput: () => tell(),
  });
  const instant = element('output', { class: 'hint', for: id });
  const relative = element(
    'select',
    {
      'aria-label': `${id.slice(2)}, relative to now`,
      class: 'time-relative',
      onchange: () => {
        set(relative.value);
        relative.value = '';
      },
    },
    element('option', { value: '' }, 'Relative…'),
    ...RELATIVE_TIMES.map(([value, label]) => element('option', { value }, label)),
  );
  const picker = element('input', {
    type: 'datetime-local',
    step: 1,
    class: 'time-picker',
    'aria-label': `${id.slice(2)}, date and time in UTC`,
    onchange: () => {
      if (picker.value !== '') set(`${picker.value.length === 16 ? `${picker.value}:00` : picker.value}Z`);
    },
  });
  const set = (value: string) => {
    text.value = value;
    tell();
  };
  const tell = () => {
    const at = relativeInstant(text.value, now());
    instant.textContent = at === undefined ? '' : `currently ${at}`;
    picker.value = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?)(Z|$)/.exec(at ?? text.value.trim())?.[1] ?? '';
  };
  return {
    controls: [text],
    element: element('div', { class: 'time' }, text, element('div', { class: 'time-help' }, relative, picker), instant),
    read: () => (text.value.trim() === '' ? [] : [text.value.trim()]),
    write: ([value = '']) => set(value),
    tell,
  };
}
