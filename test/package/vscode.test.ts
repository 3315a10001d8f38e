// The VS Code extension, packed as `npm run vscode` packs it.
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { packExtension } from '../../scripts/vscode.mjs';

const root = join(import.meta.dirname, '../..');

test('the extension is one archive with all that it needs, small', async () => {
  const archive = await packExtension();
  expect(archive.length).toBeLessThan(200_000);
  const files = new Map(Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
  expect([...files.keys()].sort()).toEqual([
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/LICENSE.txt',
    'extension/LICENSES-OF-OTHERS.txt',
    'extension/README.md',
    'extension/extension.js',
    'extension/package.json',
  ]);
  const manifest = JSON.parse(files.get('extension/package.json') ?? '');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // Opening a file must not download whatever a registry has by this name.
  expect(manifest.contributes.configuration.properties['quern.command'].default).toEqual(['npx', '--no', '--', 'quern']);
  expect([manifest.version, manifest.main]).toEqual([version, './extension.js']);
  expect(files.get('extension.vsixmanifest')).toContain(`Version="${version}" Publisher="quern"`);
  const code = files.get('extension/extension.js') ?? '';
  // What it leaves to be found is VS Code's own, or Node's.
  const found = [...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name.replace(/^node:/, ''));
  expect([...new Set(found)].filter((name) => name !== 'vscode' && !builtinModules.includes(name))).toEqual([]);
  for (const { command } of manifest.contributes.commands) expect(code).toContain(`registerCommand("${command}"`);
});
