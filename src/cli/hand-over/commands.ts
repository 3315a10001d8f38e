// The part of handed-over commands that main needs.

/** Commands that change the store: done by the server that uses it, where there is one. */
export const HANDED_OVER: ReadonlySet<string> = new Set(['load', 'loads', 'drop']);

/** Ends such a command once a server has done it. */
export class HandedOver extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('the command was done by the server that uses the store');
    this.exitCode = exitCode;
  }
}
