// Above the rows: what they are filtered by, how many are left, and a field to find text in them.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../output/visible.ts';
import { Button } from './button.tsx';
import { type Filter, isFiltering, NO_FILTER, withChoice } from './filter.ts';

interface FilterBarProps {
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  /** So many of `all` rows fit the filter. */
  readonly left: number;
  readonly all: number;
  /** Without what is for rows that are listed. */
  readonly isBare: boolean;
  /** Controls that end the bar. */
  readonly children: ComponentChildren;
}

/** Between letters: many rows take a moment to look through. */
const PAUSE_MS = 120;

export function FilterBar({ filter, onFilter, left, all, isBare, children }: FilterBarProps) {
  const [text, setText] = useState(filter.find);
  const find = useRef<HTMLInputElement>(null);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLayoutEffect(() => {
    if (text.trim() !== filter.find.trim()) setText(filter.find);
  }, [filter.find]);
  const change = (wanted: Filter) => {
    clearTimeout(waiting.current);
    onFilter(wanted);
    find.current?.focus();
  };
  const filtering = isFiltering(filter);
  return (
    <div class="filter-bar" hidden={all === 0 || (isBare && !filtering)}>
      <input
        id="find"
        ref={find}
        type="search"
        placeholder="Find in these rows"
        aria-label="Find in these rows"
        autocomplete="off"
        spellcheck={false}
        hidden={isBare}
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          clearTimeout(waiting.current);
          waiting.current = setTimeout(() => onFilter({ ...filter, find: value }), PAUSE_MS);
        }}
      />
      <ul class="chips">
        {(['only', 'without'] as const).flatMap((kind) =>
          filter[kind].map((one) => <Chip kind={kind} text={one} onRemove={() => change(withChoice(filter, kind, one))} />),
        )}
      </ul>
      <p class="hint" role="status">
        {filtering &&
          `${left.toLocaleString('en')} of the ${all === 1 ? '1 row' : `${all.toLocaleString('en')} rows`} that came. Downloads have all of them.`}
      </p>
      <Button
        hidden={!filtering}
        onClick={() => {
          setText('');
          change(NO_FILTER);
        }}
      >
        Show all
      </Button>
      <div class="actions" hidden={isBare}>
        {children}
      </div>
    </div>
  );
}

function Chip({ kind, text, onRemove }: { readonly kind: 'only' | 'without'; readonly text: string; readonly onRemove: () => void }) {
  const words = visible(text.replace('=', kind === 'only' ? ' is ' : ' is not '));
  return (
    <li>
      <button type="button" class={`chip ${kind}`} aria-label={`Remove the filter ${words}`} onClick={onRemove}>
        <span class="chip-text">{words}</span>
        <span aria-hidden="true"> ×</span>
      </button>
    </li>
  );
}
