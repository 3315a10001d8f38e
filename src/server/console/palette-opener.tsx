// Opens the palette: by its button, and by ⌘K or Ctrl-K wherever the focus is.
import { useLayoutEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { lazy } from './lazy.tsx';

const Palette = lazy(async () => (await import('./palette.tsx')).Palette);
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function PaletteOpener() {
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const follow = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(isMac ? event.metaKey : event.ctrlKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  }, []);
  return (
    <>
      <Button class="palette-opener" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="7" cy="7" r="4.5" />
          <path d="M10.5 10.5 14 14" />
        </svg>
        <span class="palette-word">Go to</span> <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </Button>
      {isOpen && <Palette onClose={() => setOpen(false)} />}
    </>
  );
}
