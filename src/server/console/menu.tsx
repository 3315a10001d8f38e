// A menu that opens below its name. It closes on Escape, and when the focus goes elsewhere.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface MenuProps {
  readonly class?: string;
  readonly name: ComponentChildren;
  /** The name for those who listen, where it differs. */
  readonly label?: string;
  /** `close` gives the focus back to the name. */
  readonly children: (close: () => void) => ComponentChildren;
}

export function Menu({ class: kind = '', name, label, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  const close = () => {
    if (menu.current !== null) menu.current.open = false;
    summary.current?.focus();
  };
  return (
    <details
      class={`menu ${kind}`.trim()}
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !event.currentTarget.open) return;
        event.stopPropagation();
        close();
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
      }}
    >
      <summary ref={summary} aria-label={label}>
        {name}
      </summary>
      {children(close)}
    </details>
  );
}
