// A text under its name, with a button that copies it.
import type { ComponentChildren } from 'preact';
import { CopyButton } from './button.tsx';

interface CopyPanelProps {
  readonly class: string;
  readonly title: string;
  readonly text: string;
  readonly children: ComponentChildren;
}

export function CopyPanel({ class: kind, title, text, children }: CopyPanelProps) {
  return (
    <section class={kind}>
      <div class="panel-head">
        <h2>{title}</h2>
        <CopyButton label="Copy" text={() => text} />
      </div>
      {children}
    </section>
  );
}
