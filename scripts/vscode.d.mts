/** The VS Code extension as one archive. */
export function packExtension(): Promise<Uint8Array>;
