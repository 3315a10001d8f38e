// Links between the pages: the file is there, and so is the heading.
import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { pages, pageText, prose, root } from './pages.ts';

/** As GitHub makes them. */
function anchors(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const found = new Set<string>();
  for (const [, title = ''] of prose(pageText(page)).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    found.add(before === 0 ? anchor : `${anchor}-${before}`);
  }
  return found;
}

/** Targets of the links and pictures of a page that are no addresses of the web. */
function targets(page: string): readonly string[] {
  const text = prose(pageText(page)).replaceAll(/`[^`\n]*`/g, '');
  const written = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/(?:src|srcset|href)="([^"]+)"/g)];
  return written.map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

function missing(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : relative(root, join(root, dirname(page), path));
  if (!existsSync(join(root, file))) return true;
  return anchor !== undefined && (statSync(join(root, file)).isDirectory() || !anchors(file).has(anchor));
}

test('links lead to files and headings that are there', () => {
  const broken = pages.flatMap((page) =>
    targets(page)
      .filter((target) => missing(page, target))
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('the index links to every page of docs/', () => {
  const linked = targets('docs/README.md').map((target) => `docs/${target.split('#')[0]}`);
  const others = pages.filter((page) => page.startsWith('docs/') && !/^docs\/(commands\/(?!README)|README)/.test(page));
  expect(others.filter((page) => !linked.includes(page))).toEqual([]);
});
