// The package as npm would publish and install it, in a folder elsewhere. What npm would fetch for it is linked from here: no network in tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

export interface Environment {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Before the name of the script. */
  readonly nodeFlags?: readonly string[];
}

export interface Installed {
  /** The consumer's own folder. */
  readonly folder: string;
  /** node_modules/quern in it. */
  readonly path: string;
  readonly manifest: Manifest;
  /** Runs a script of the folder, in an environment of nothing but PATH and HOME. */
  node(script: string, argv: readonly string[], environment?: Environment): Ended;
  /** Runs the command as npm has linked it. */
  quern(argv: readonly string[], environment?: Environment): Ended;
  remove(): void;
}

/** The archive, made once for a test file. */
export function pack(): { readonly archive: string; readonly files: readonly string[]; readonly bytes: number; remove(): void } {
  if (!existsSync(join(root, 'dist/types/index.d.ts')))
    execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'quern-pack-'));
  const env = { PATH: process.env['PATH'], HOME: folder };
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root, env });
  const archive = join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '');
  const listed = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n');
  return {
    archive,
    files: listed.map((file) => file.replace(/^package\//, '')).sort(),
    bytes: readFileSync(archive).length,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Unpacks and links as `npm install` does; without the engine, as `npm install --omit=optional` does. */
export function install(archive: string, { engine, name = 'consumer' }: { readonly engine: boolean; readonly name?: string }): Installed {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'quern-installed-')));
  const folder = join(place, name);
  const modules = join(folder, 'node_modules');
  const path = join(modules, 'quern');
  mkdirSync(path, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', path, '--strip-components=1']);
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest; // npm pack refuses any other
  for (const dependency of Object.keys({ ...manifest.dependencies, ...(engine ? manifest.optionalDependencies : {}) })) {
    mkdirSync(dirname(join(modules, dependency)), { recursive: true });
    symlinkSync(join(root, 'node_modules', dependency), join(modules, dependency));
  }
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../quern/bin/quern.js', join(modules, '.bin/quern'));
  chmodSync(join(path, 'bin/quern.js'), 0o755);
  const run = (file: string, argv: readonly string[], { cwd = folder, env = {} }: Environment): Ended => {
    const all = { PATH: process.env['PATH'], HOME: join(place, 'home'), ...env };
    const { stdout, stderr, status } = spawnSync(file, argv, { cwd, env: all, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return { stdout, stderr, status };
  };
  return {
    folder,
    path,
    manifest,
    node: (script, argv, environment = {}) => run(process.execPath, [...(environment.nodeFlags ?? []), script, ...argv], environment),
    quern: (argv, environment = {}) => run(join(modules, '.bin/quern'), argv, environment),
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}
