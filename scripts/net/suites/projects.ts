// Queries as a project asks them, on a store with tables: those of the collection, and those in the pages.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGivenParameters } from '../../../src/cli/commands/query/given-parameter.ts';
import { oneOffRequest } from '../../../src/execution/one-off.ts';
import { prepare } from '../../../src/execution/prepare.ts';
import type { PreparedQuery } from '../../../src/execution/prepared-query.ts';
import { type Block, blocksOf, commandsOf, pages, pageText } from '../../../test/docs/pages.ts';
import { readGroup } from '../../collection/group.ts';
import { type OpenGroup, openGroup } from '../../collection/run-group.ts';
import { lineOf, type Translated, withBuckets } from '../line.ts';
import { inTurn, root, type Suite } from '../suite.ts';

const GROUPS = join(root, 'scripts/collection/groups');

/** What is prepared, without the folder of the store, which is another one each time. */
function translated({ folder }: OpenGroup, { sql, bound, columns, settings, buckets }: PreparedQuery): Translated {
  const { more = [] } = withBuckets({
    sql,
    parameters: bound,
    columns: columns ?? [],
    settings,
    ...(buckets === undefined ? {} : { buckets }),
  });
  const placeless = (text: string): string => text.replaceAll(folder, '…');
  return { sql: placeless(sql), parameters: bound, columns, settings, more: more.map(placeless) };
}

export const collection: Suite = {
  units: () => readdirSync(GROUPS),
  async lines(unit) {
    const group = readGroup(join(GROUPS, unit));
    const opened = await openGroup(group);
    try {
      return await inTurn(group.queries, ({ sql }) =>
        lineOf({ from: unit, text: sql }, () => opened.running(sql, async (prepared) => translated(opened, prepared))),
      );
    } finally {
      await opened.close();
    }
  },
};

interface PageText {
  readonly page: string;
  readonly text: string;
  /** As behind `-p`; absent for a file. */
  readonly parameters?: readonly string[];
}

/** Tables that the pages speak of. */
const TABLES = { orders: 'orders.csv', notes: 'notes.ndjson', events: 'events.ndjson' };

export const docs: Suite = {
  units: () => ['pages'],
  async lines(unit) {
    const project = join(root, 'test/docs/project');
    const { events } = readGroup(join(GROUPS, 'supabase-files'));
    const opened = await openGroup({ folder: project, statements: [], events, sandbox: undefined });
    try {
      cpSync(project, opened.folder, { recursive: true });
      cpSync(join(root, 'examples'), join(opened.folder, 'examples'), { recursive: true });
      const store = await opened.services.store();
      for (const [table, file] of Object.entries(TABLES)) await store.loadTable(table, [join(project, file)], {});
      for (const { file, lines } of pages.flatMap((page) => blocksOf(pageText(page)))) {
        if (file?.startsWith('functions/') !== true) continue;
        mkdirSync(join(opened.folder, 'functions'), { recursive: true });
        writeFileSync(join(opened.folder, file), lines.join('\n'));
      }
      const files = readdirSync(project, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.sql'));
      const texts: readonly PageText[] = [
        ...pages.flatMap((page) => blocksOf(pageText(page)).flatMap((block) => textsOf(page, block))),
        ...files.sort().map((name) => ({ page: name, text: readFileSync(join(project, name), 'utf8') })),
      ];
      return await inTurn(texts, (text) =>
        lineOf({ from: `${unit}/${text.page.replace(/\.md$/, '')}`, text: text.text, beside: (text.parameters ?? []).join() }, () =>
          asked(opened, text),
        ),
      );
    } finally {
      await opened.close();
    }
  },
};

const HINTS = { stray: () => '', missing: () => '' };

async function asked(opened: OpenGroup, { page, text, parameters }: PageText): Promise<Translated> {
  if (parameters === undefined) return opened.running(text, async (prepared) => translated(opened, prepared));
  const given = readGivenParameters(parameters);
  const request = await oneOffRequest({ text: { name: page, text }, given, hints: HINTS }, opened.services);
  return opened.services.running(async (current) => translated(opened, await prepare(request, current)), request.files);
}

/** An argument between quotes, as a shell reads it. */
const ARGUMENT = `'([^']*)'|"((?:[^"\\\\]|\\\\.)*)"`;
const PARAMETER = new RegExp(`-p (?:${ARGUMENT}|(\\S+))`, 'g');

function textsOf(page: string, { language, file, lines }: Block): readonly PageText[] {
  if (language === 'sql') return file?.startsWith('functions/') === true ? [] : [{ page, text: lines.join('\n') }];
  return commandsOf({ language, file, lines }).flatMap(({ text: command }) => {
    const [, rest = ''] = /\bquern (?:query|translate) (.*)/s.exec(command) ?? [];
    const texts = [...rest.matchAll(new RegExp(ARGUMENT, 'g'))].map(
      ([, single, double]) => single ?? double?.replaceAll(/\\(.)/g, '$1') ?? '',
    );
    const text = texts.find((each) => /^\s*(?:select|with|from)\b/i.test(each));
    const parameters = [...command.matchAll(PARAMETER)].map(([, single, double, bare]) => single ?? double ?? bare ?? '');
    return text === undefined ? [] : [{ page, text, parameters }];
  });
}
