// Why there are no rows, and a button that goes to where some are.
import { visible } from '../../output/visible.ts';
import type { ConsoleEmpty } from './contract.ts';
import { button, element } from './element.ts';

/** Undefined where nothing is known. */
export function emptyNote({ reason, asOf }: ConsoleEmpty, goTo: (asOf: string) => void): HTMLElement | undefined {
  if (reason === undefined) return undefined;
  return element(
    'div',
    { class: 'empty-note', role: 'status' },
    element('p', {}, `No rows: ${visible(reason)}.`),
    asOf !== undefined && button(`Run as of ${asOf}`, () => goTo(asOf)),
  );
}
