// Files of a result: the server is asked once more, for each format it has.
import type { ConsoleFormat } from './contract.ts';
import { announce, button, element } from './element.ts';
import type { Failure, Question, Server } from './server.ts';

interface DownloadsOptions {
  readonly formats: readonly ConsoleFormat[];
  /** UUID of the query. */
  readonly id: string;
  readonly server: Server;
  readonly question: () => Question;
  readonly onFailure: (failure: Failure) => void;
}

export function downloads({ formats, id, server, question, onFailure }: DownloadsOptions): HTMLElement {
  const menu = element('details', { class: 'menu' }, element('summary', {}, 'Download'));
  const fetchFile = async ({ extension }: ConsoleFormat) => {
    menu.open = false;
    const asked = question();
    const given = await server.file(asked, id, extension);
    if ('failure' in given) {
      onFailure(given.failure);
      return;
    }
    const file = `${asked.endpoint}${extension}`;
    save(given.got, file);
    announce(`${file} downloaded`);
  };
  menu.append(
    element(
      'div',
      { class: 'menu-items' },
      ...formats.map((format) => button(`${format.name} (${format.extension})`, () => void fetchFile(format))),
    ),
  );
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
  menu.addEventListener('focusout', (event) => {
    if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget)) menu.open = false;
  });
  return menu;
}

function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
