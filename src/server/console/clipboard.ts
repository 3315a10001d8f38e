// Puts text on the clipboard, also where the page is not served securely and browsers offer the old way only.
import { announce, button, element } from './element.ts';

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element('textarea', { class: 'unseen', 'aria-hidden': 'true' });
    area.value = text;
    const host = document.querySelector('dialog[open]') ?? document.body;
    host.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    return copied;
  }
}

/** A button that says whether it worked. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const made = button(label, async () => {
    const copied = await copyText(text());
    made.focus();
    made.textContent = copied ? 'Copied' : 'The browser does not let this page copy';
    announce(made.textContent);
    setTimeout(() => {
      made.textContent = label;
    }, 1500);
  });
  return made;
}
