// Writes the licences of the packages that are bundled: nearly all ask for their text to travel along.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `files` are what a bundler wrote, with the modules it read. Throws when a bundled package has no licence text. */
export function writeLicences(files, target) {
  const folders = new Set();
  for (const id of files.flatMap((file) => file.moduleIds ?? [])) {
    const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
    if (folder !== undefined) folders.add(folder);
  }
  const notices = new Set([...folders].sort().map(noticeOf));
  writeFileSync(target, [...notices].join(`\n${'-'.repeat(100)}\n\n`));
}

/** Apache's licence asks for a NOTICE file to be kept as well. */
function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = readdirSync(folder);
  const licence = entries.find((entry) => /^licen[cs]e/i.test(entry));
  if (licence === undefined) throw new Error(`${name} has no licence file, but is bundled (${folder})`);
  const texts = [licence, ...entries.filter((entry) => /^notice/i.test(entry))].map((file) =>
    readFileSync(join(folder, file), 'utf8').trim(),
  );
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}
