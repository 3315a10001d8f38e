// Tabs: one is shown, arrows go from one to the next.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly content: ComponentChildren;
  /** Of the panel, beside its own. */
  readonly class?: string;
}

interface TabsProps<Name extends string> {
  readonly label?: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChosen: (name: Name) => void;
  /** Stands between the tabs and what they show. */
  readonly above?: ComponentChildren;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

export function Tabs<Name extends string>({ label = 'What to see', tabs, chosen, onChosen, above }: TabsProps<Name>) {
  const goOn = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const next = buttons[(buttons.findIndex((one) => one.matches(':focus')) + step + buttons.length) % buttons.length];
    next?.focus();
    next?.click();
  };
  return (
    <div class="tab-box">
      <div role="tablist" class="tabs" aria-label={label} onKeyDown={goOn}>
        {tabs.map(({ name, label: text }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-controls={`panel-${name}`}
            aria-selected={name === chosen}
            tabindex={name === chosen ? 0 : -1}
            onClick={() => onChosen(name)}
          >
            {text}
          </button>
        ))}
      </div>
      {above}
      {tabs.map((tab) => (
        <Panel key={tab.name} {...tab} isChosen={tab.name === chosen} />
      ))}
    </div>
  );
}

/** Draws its content when it is first chosen, and again only while it is. */
function Panel({ name, content, isChosen, class: kind = '' }: Tab<string> & { readonly isChosen: boolean }) {
  const drawn = useRef<ComponentChildren>(undefined);
  if (isChosen) drawn.current = content;
  return (
    <div role="tabpanel" id={`panel-${name}`} aria-labelledby={`tab-${name}`} class={`panel ${kind}`.trim()} hidden={!isChosen}>
      {drawn.current}
    </div>
  );
}
