// Tabs: one is shown, arrows go from one to the next.
import { element } from './element.ts';

interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
}

interface Tabs<Name extends string> {
  readonly element: HTMLElement;
  readonly panel: (name: Name) => HTMLElement;
  show(name: Name): void;
}

export function createTabs<Name extends string>(
  tabs: readonly Tab<Name>[],
  onChosen: (name: Name) => void,
  label = 'What to see',
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
        const at = (buttons.findIndex((one) => one.matches(':focus')) + step + buttons.length) % buttons.length;
        buttons[at]?.focus();
        buttons[at]?.click();
      },
    },
    ...buttons,
  );
  return {
    element: element('div', { class: 'tab-box' }, list, ...panels.values()),
    panel: (name) => panels.get(name) ?? element('div'),
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
