// How a file is compressed, told by its name and its first bytes.

interface CompressionRow {
  /** What names end with; the first is that of files which quern makes. */
  readonly endings: readonly [string, ...string[]];
  readonly magic?: readonly number[];
}

/** The names are those of the engine. Brotli has no mark of its own. */
export const COMPRESSIONS = {
  gz: { endings: ['gz'], magic: [0x1f, 0x8b] },
  zstd: { endings: ['zst', 'zstd'], magic: [0x28, 0xb5, 0x2f, 0xfd] },
  xz: { endings: ['xz'], magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a] },
  lz4: { endings: ['lz4'], magic: [0x04, 0x22, 0x4d, 0x18] },
  br: { endings: ['br'] },
  bz2: { endings: ['bz2'], magic: [0x42, 0x5a, 0x68] },
} as const satisfies Readonly<Record<string, CompressionRow>>;

export type Compression = keyof typeof COMPRESSIONS;

const ROWS = Object.entries(COMPRESSIONS) as readonly (readonly [Compression, CompressionRow])[];

/** By the name of a file alone. */
export function namedCompression(name: string): Compression | undefined {
  const [, ending = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  return ROWS.find(([, { endings }]) => endings.includes(ending))?.[0];
}

/** By the first bytes of a file. The name counts where these are too few to say, and for brotli. */
export function compressionOf(head: Uint8Array, name: string): Compression | undefined {
  const marked = ROWS.find(([, { magic }]) => magic?.every((byte, i) => byte === head[i]))?.[0];
  const named = namedCompression(name);
  const magic = ROWS.find(([compression]) => compression === named)?.[1].magic;
  const isBeginning = named === 'br' || (magic !== undefined && head.length > 0 && head.every((byte, i) => byte === magic[i]));
  return marked ?? (isBeginning ? named : undefined);
}
