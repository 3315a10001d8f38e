// Compares what a command printed with what a page shows. In a page `…` stands for any text of a line, a line of `…` alone for
// any lines; how long something took is never compared.

export function sameText(shown: readonly string[], came: readonly string[]): boolean {
  const pattern = shown.map((line) => (line === '…' ? '(?:.*\n)*' : `${plain(timeless(line)).replaceAll('…', '.*')}\n`)).join('');
  return new RegExp(`^${pattern}$`).test(came.map((line) => `${timeless(line)}\n`).join(''));
}

const timeless = (line: string): string => line.trimEnd().replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, '0 $2');
const plain = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
