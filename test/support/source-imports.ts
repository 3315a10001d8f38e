// Who imports what among the project's own files, read from the import lines.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = new URL('../../', import.meta.url).pathname;

export interface Import {
  /** Both are paths in the project; a package has its own name. */
  readonly from: string;
  readonly to: string;
  readonly kind: 'static' | 'dynamic' | 'type';
}

/** Path in the project → text. */
export const textsOf = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.m?[jt]sx?$/.test(file) && !file.includes('node_modules'))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );

const STATEMENT = /^(?:import|export)\s(type\s)?[^'"`;]*?from\s+'([^']+)'|(typeof )?\bimport\('([^']+)'\)|^import '([^']+)'/gm;

export function importsOf(texts: ReadonlyMap<string, string>): readonly Import[] {
  return [...texts].flatMap(([from, text]) =>
    [...text.matchAll(STATEMENT)].map(([, type, named, typeOf, dynamic, bare]): Import => {
      const specifier = named ?? dynamic ?? bare ?? '';
      // The program that bin/ and the scripts load is built of src/.
      const to = specifier.startsWith('.')
        ? normalize(join(dirname(from), specifier))
            .replace(/^dist\/cli\.js$/, 'src/cli/main.ts')
            .replace(/^dist\/(.*)\.js$/, 'src/$1.ts')
        : specifier;
      return { from, to, kind: type !== undefined || typeOf !== undefined ? 'type' : dynamic === undefined ? 'static' : 'dynamic' };
    }),
  );
}

export function importsBy(end: 'from' | 'to', imports: readonly Import[]): ReadonlyMap<string, readonly Import[]> {
  const groups = new Map<string, Import[]>();
  for (const one of imports) groups.set(one[end], [...(groups.get(one[end]) ?? []), one]);
  return groups;
}
