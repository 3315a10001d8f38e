// Packs the VS Code extension: `npm run vscode` writes quern.vsix, which `code --install-extension` takes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { zipSync } from 'fflate';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'editors/vscode');

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** What a package must say of itself beside its package.json: https://learn.microsoft.com/previous-versions/visualstudio/dn629445(v=vs.110) */
function vsixManifest({ name, publisher, version, displayName, description, engines }) {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(name)}" Version="${escaped(version)}" Publisher="${escaped(publisher)}" />
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}" />
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

const CONTENT_TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json" />
  <Default Extension=".js" ContentType="application/javascript" />
  <Default Extension=".md" ContentType="text/markdown" />
  <Default Extension=".txt" ContentType="text/plain" />
  <Default Extension=".vsixmanifest" ContentType="text/xml" />
</Types>
`;

/** The extension's files as one archive, the client's code in it; the version is that of quern. */
export async function packExtension() {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'extension.cjs')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    minify: true,
    legalComments: 'inline',
    write: false,
  });
  const read = (name) => readFileSync(join(folder, name), 'utf8');
  const manifest = { ...JSON.parse(read('package.json')), version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version };
  const licences = ['vscode-languageclient/License.txt', 'semver/LICENSE', 'minimatch/LICENSE.md']
    .map((file) => `${file}\n\n${readFileSync(join(root, 'node_modules', file), 'utf8')}`)
    .join('\n\n');
  const texts = {
    '[Content_Types].xml': CONTENT_TYPES,
    'extension.vsixmanifest': vsixManifest(manifest),
    'extension/package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'extension/README.md': read('README.md'),
    'extension/LICENSE.txt': readFileSync(join(root, 'LICENSE'), 'utf8'),
    'extension/LICENSES-OF-OTHERS.txt': licences,
    'extension/extension.js': outputFiles[0].text,
  };
  return zipSync(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)])));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(root, 'quern.vsix'), await packExtension());
