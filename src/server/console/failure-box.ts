// A failure as the page shows it: what is wrong, where, what to do.
import { visible } from '../../output/visible.ts';
import { button, element } from './element.ts';
import type { Failure } from './server.ts';

export function failureBox(
  { code, message, hint, position, notes = [], problems = [], requestId }: Failure,
  retry?: () => void,
): HTMLElement {
  return element(
    'div',
    { class: 'failure', role: 'alert' },
    element('p', { class: 'failure-message' }, element('span', { class: 'tag' }, code), ' ', visible(message)),
    position !== undefined && element('p', {}, `${visible(position.file)}, line ${position.line}, column ${position.column}`),
    problems.length > 0 &&
      element(
        'ul',
        {},
        ...problems.map(({ name, message: problem }) => element('li', {}, element('code', {}, visible(name)), ` ${visible(problem)}`)),
      ),
    ...notes.map((note) => element('p', {}, visible(note))),
    hint !== undefined && element('p', { class: 'hint' }, visible(hint)),
    (retry !== undefined || requestId !== undefined) &&
      element(
        'p',
        { class: 'failure-foot' },
        retry !== undefined && button('Try again', retry),
        requestId !== undefined && element('small', {}, `request ${requestId}`),
      ),
  );
}
