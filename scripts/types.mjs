// Writes dist/types: the declarations of the public API, and of what it reaches; nothing of the rooms behind it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORTED = /(?<=\b(?:from|import\()\s*)(['"])(\.[^'"]*)\.[jt]s\1/g;

/** A compiler's import names a .ts file; a consumer's compiler looks for the .js file beside which the declarations are. */
export function writeTypes(root, dist) {
  const [all, kept] = ['all', 'kept'].map((name) => join(dist, `.types-${name}-${process.pid}`));
  try {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', all], {
      stdio: 'inherit',
    });
    if (status !== 0) {
      process.exitCode = 1; // the compiler has said why
      return;
    }
    const waiting = ['index', 'translate'];
    const seen = new Set(waiting);
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const text = readFileSync(join(all, `${name}.d.ts`), 'utf8');
      for (const [, , path] of text.matchAll(IMPORTED)) {
        const reached = join(dirname(name), path);
        if (!seen.has(reached)) waiting.push(reached);
        seen.add(reached);
      }
      const file = join(kept, `${name}.d.ts`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text.replace(IMPORTED, '$1$2.js$1'));
    }
    rmSync(join(dist, 'types'), { recursive: true, force: true });
    renameSync(kept, join(dist, 'types'));
  } finally {
    for (const folder of [all, kept]) rmSync(folder, { recursive: true, force: true });
  }
}
