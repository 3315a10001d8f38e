// Makes elements. Text goes in as text, never as HTML.

type Listener = (event: Event) => void;
type Properties = Readonly<Record<string, string | number | boolean | undefined | Listener>>;
type Child = Node | string | undefined | false;

/** `onclick` and the like take functions; true is an attribute without a value, false and undefined none. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') made.addEventListener(key.replace(/^on/, ''), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== undefined && value !== false) made.setAttribute(key, String(value));
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

export function button(label: string, onclick: () => void, properties: Properties = {}): HTMLButtonElement {
  return element('button', { type: 'button', onclick, ...properties }, label);
}

/** Says something to those who listen to the page. */
export function announce(text: string): void {
  const told = document.getElementById('told');
  if (told !== null) told.textContent = text;
}
