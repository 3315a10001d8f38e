declare module 'net:test-files' {
  /** Loads each test file of the translator, by its path. */
  export const testFiles: Readonly<Record<string, () => Promise<unknown>>>;
}
