// What people write values into.
export interface Input {
  /** Label and description are tied to these. */
  readonly controls: readonly HTMLElement[];
  readonly element: HTMLElement;
  /** As text; none when nothing was chosen. */
  read(): readonly string[];
  write(values: readonly string[]): void;
  /** Says again what it means at present, where that changes. */
  tell?(): void;
}
