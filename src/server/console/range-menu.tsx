// The control for the range of time that queries share, in the head of the page.
import type { Range } from './address.ts';
import { announce } from './announce.ts';
import { Button } from './button.tsx';
import { AS_WRITTEN } from './inputs.tsx';
import { Menu } from './menu.tsx';
import { rangeText } from './range.ts';
import { RELATIVE_TIMES } from './relative-time.ts';

interface RangeMenuProps {
  readonly range: Range;
  /** Which parts of it the page uses. */
  readonly reach: string;
  readonly onRange: (range: Range) => void;
}

const PRESETS = RELATIVE_TIMES.filter(([text]) => text !== 'now');
const FIELDS = [
  ['from', 'From', 'such as -1h'],
  ['to', 'To', 'such as now'],
  ['asOf', 'As of', 'counts as now'],
] as const;

export function RangeMenu({ range, reach, onRange }: RangeMenuProps) {
  const words = rangeText(range);
  return (
    <Menu
      class="range-menu"
      name={<span class="range-words">{words === '' ? 'Time range' : words}</span>}
      label={words === '' ? 'Time range' : `Time range: ${words}`}
    >
      {(close) => (
        <RangeForm
          key={words}
          range={range}
          reach={reach}
          onRange={(wanted) => {
            close();
            onRange(wanted);
            announce(rangeText(wanted) === '' ? 'no time range' : `time range: ${rangeText(wanted)}`);
          }}
        />
      )}
    </Menu>
  );
}

function RangeForm({ range, reach, onRange }: RangeMenuProps) {
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const given = [...new FormData(event.currentTarget)].map(([part, text]) => [part, String(text).trim()]);
    onRange(Object.fromEntries(given.filter(([, text]) => text !== '')));
  };
  return (
    <form class="menu-items range-form" novalidate onSubmit={submit}>
      <select
        aria-label="Length of the range"
        onChange={({ currentTarget: preset }) => {
          const asOf = preset.form?.querySelector<HTMLInputElement>('#range-asOf')?.value.trim();
          const from = preset.value;
          preset.value = '';
          onRange({ from, to: 'now', ...(asOf ? { asOf } : {}) });
        }}
      >
        <option value="">Since…</option>
        {PRESETS.map(([text, label]) => (
          <option value={text}>{label}</option>
        ))}
      </select>
      {FIELDS.map(([part, label, placeholder]) => (
        <div class="range-field">
          <label for={`range-${part}`}>{label}</label>
          <input id={`range-${part}`} name={part} defaultValue={range[part] ?? ''} placeholder={placeholder} {...AS_WRITTEN} />
        </div>
      ))}
      <p class="hint">UTC. Queries that you open keep the range.</p>
      <p class="hint">{reach}</p>
      <div class="actions">
        <button type="submit" class="primary">
          Apply
        </button>
        <Button onClick={() => onRange({})}>No range</Button>
      </div>
    </form>
  );
}
