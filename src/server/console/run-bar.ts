// The button that runs, and while it does the one that stops, with the time it has taken.
import { button, element } from './element.ts';

interface RunBar {
  readonly element: HTMLElement;
  begin(): void;
  end(): void;
}

export function createRunBar({ cancel }: { readonly cancel: () => void }): RunBar {
  const run = element('button', { type: 'submit', class: 'primary' }, 'Run');
  const stop = button('Cancel', cancel, { hidden: true });
  const elapsed = element('span', { class: 'soft elapsed' });
  let ticking: ReturnType<typeof setInterval> | undefined;
  let startedAt = 0;
  const tick = () => {
    const seconds = Math.floor((performance.now() - startedAt) / 1000);
    elapsed.textContent = seconds === 0 ? 'running…' : `running for ${seconds} s`;
  };
  const bar = element('div', { class: 'run-bar' }, run, stop, elapsed);
  return {
    element: bar,
    begin() {
      startedAt = performance.now();
      clearInterval(ticking);
      ticking = setInterval(tick, 250);
      elapsed.textContent = '';
      stop.hidden = false;
      bar.setAttribute('aria-busy', 'true');
    },
    end() {
      clearInterval(ticking);
      // Focus on a button that goes away would be lost.
      if (document.activeElement === stop) run.focus();
      stop.hidden = true;
      elapsed.textContent = '';
      bar.removeAttribute('aria-busy');
    },
  };
}
