// Commands that ask the same question elsewhere.
import { copyButton } from './clipboard.ts';
import { element } from './element.ts';
import { curlCommand, type Question, runCommand } from './elsewhere.ts';

export function elsewhereView(question: Question, withKey: boolean, instant: boolean): HTMLElement {
  const command = (title: string, text: string, note?: string) =>
    element(
      'section',
      { class: 'command' },
      element(
        'div',
        { class: 'panel-head' },
        element('h2', {}, title),
        copyButton('Copy', () => text),
      ),
      element('pre', { tabindex: 0, 'aria-label': title }, text),
      note !== undefined && element('p', { class: 'hint' }, note),
    );
  const origin = new URL('.', location.href.split('#', 1)[0]).href;
  return element(
    'div',
    { class: 'commands' },
    command('curl', curlCommand(question, origin, withKey), withKey ? 'Set QUERN_KEY to your key first.' : undefined),
    command('quern run', runCommand(question, instant)),
  );
}
