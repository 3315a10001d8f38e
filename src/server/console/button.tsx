// Buttons, and the one that puts text on the clipboard, also where the page is not served securely and browsers offer the old way only.
import type { ButtonHTMLAttributes } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { announce } from './announce.ts';

/** Submits nothing, unlike a `button` without a type. */
export const Button = (props: ButtonHTMLAttributes) => <button type="button" {...props} />;

interface CopyButtonProps {
  readonly label: string;
  readonly text: () => string;
  readonly class?: string;
}

/** Says whether it worked. */
export function CopyButton({ label, text, class: name }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const copy = async () => {
    const words = (await copyText(text())) ? 'Copied' : 'The browser does not let this page copy';
    button.current?.focus();
    setOutcome(words);
    announce(words);
    setTimeout(() => setOutcome(undefined), 1500);
  };
  return (
    <button type="button" class={name} ref={button} onClick={() => void copy()}>
      {outcome ?? label}
    </button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.className = 'unseen';
    area.ariaHidden = 'true';
    area.value = text;
    const host = document.querySelector('dialog[open]') ?? document.body;
    host.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    return copied;
  }
}
