// Tabs: one is shown, arrows go from one to the next.
import { element } from './element.ts';

interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
}

interface TabsOptions {
  readonly label?: string;
  /** Stands between the tabs and what they show. */
  readonly above?: HTMLElement;
}

interface Tabs<Name extends string> {
  readonly element: HTMLElement;
  readonly panel: (name: Name) => HTMLElement;
  show(name: Name): void;
  /** Whether a tab is there to be chosen. */
  offer(name: Name, offered: boolean): void;
}

export function createTabs<Name extends string>(
  tabs: readonly Tab<Name>[],
  onChosen: (name: Name) => void,
  { label = 'What to see', above }: TabsOptions = {},
): Tabs<Name> {
  const panels = new Map(
    tabs.map(({ name }) => [
      name,
      element('div', { role: 'tabpanel', id: `panel-${name}`, 'aria-labelledby': `tab-${name}`, hidden: true, class: 'panel' }),
    ]),
  );
  const buttons = tabs.map(({ name, label: text }) =>
    element(
      'button',
      { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, onclick: () => onChosen(name) },
      text,
    ),
  );
  const list = element(
    'div',
    {
      role: 'tablist',
      class: 'tabs',
      'aria-label': label,
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[(event as KeyboardEvent).key];
        if (step === undefined) return;
        const offered = buttons.filter(({ hidden }) => !hidden);
        const at = (offered.findIndex((one) => one.matches(':focus')) + step + offered.length) % offered.length;
        offered[at]?.focus();
        offered[at]?.click();
      },
    },
    ...buttons,
  );
  return {
    element: element('div', { class: 'tab-box' }, list, above, ...panels.values()),
    panel: (name) => panels.get(name) ?? element('div'),
    offer(name, offered) {
      const at = tabs.findIndex((tab) => tab.name === name);
      if (buttons[at] !== undefined) buttons[at].hidden = !offered;
    },
    show(name) {
      for (const [i, tab] of tabs.entries()) {
        const chosen = tab.name === name;
        buttons[i]?.setAttribute('aria-selected', String(chosen));
        buttons[i]?.setAttribute('tabindex', chosen ? '0' : '-1');
        const panel = panels.get(tab.name);
        if (panel !== undefined) panel.hidden = !chosen;
      }
    },
  };
}
