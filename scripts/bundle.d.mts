export function bundle(entry: string, folder?: string, plugins?: readonly import('esbuild').Plugin[]): Promise<string>;
