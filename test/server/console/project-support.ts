// A server over a project with tables of its own: what SQL over all tables can read is what `quern load` has loaded.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { EmbeddedEngine } from '../../../src/engine/embedded/embedded.ts';
import { quietIo } from '../../../src/process-io.ts';
import { openCatalog } from '../../../src/queries/catalog.ts';
import { openServices } from '../../../src/services.ts';
import { cliHome } from '../../support/run-cli.ts';
import { type Served, type ServedOptions, served } from '../server-support.ts';

const ID = (n: number) => `id: 00000000-0000-4000-8000-00000000000${n}`;

const ORDERS = [
  'id,placed_at,shop,total',
  ...Array.from({ length: 48 }, (_, i) => {
    const at = new Date(Date.UTC(2026, 0, 2, Math.floor(i / 2))).toISOString();
    return `${i + 1},${at},${i % 2 === 0 ? 'north' : 'south'},${1000 * i + 0.1 + 0.2}`;
  }),
].join('\n');

const BOARD = `title: The shops
description: What they take
range: { from: 2026-01-02T12:00:00Z }
panels:
  - query: per.hour
    title: Takings by the hour
    width: whole
  - query: per.shop
    show: table
  - query: per.hour
    title: The first hour of the north
    params: { shop: north }
    show: number
`;

interface Project {
  readonly folder: string;
  write(name: string, text: string): void;
  /** A server over it; each test has its own. */
  serve(options?: Pick<ServedOptions, 'key' | 'options'>): Promise<Served>;
}

/** Tables `orders` and `shop.items`, the saved queries `per.shop` and `per.hour`, and the board `shops`. */
export function project(): Project {
  const home = cliHome();
  const io = { ...quietIo(() => undefined), cwd: home.folder, env: { HOME: home.folder } };
  const services = openServices({ io, signal: new AbortController().signal, flags: () => ({}) });
  const folder = join(home.folder, 'queries');
  const boards = join(home.folder, 'boards');
  beforeAll(async () => {
    const load = async (name: string, csv: string) =>
      expect(await home.run(['load', name, '-', '--format', 'csv'], { stdin: csv })).toMatchObject({ exitCode: 0 });
    await load('orders', ORDERS);
    await load('shop.items', 'id,name\n1,mill\n2,stone\n');
    mkdirSync(folder);
    mkdirSync(boards);
    home.write('boards/shops.yaml', BOARD);
    home.write(
      'queries/per.shop.sql',
      `/*---\n${ID(1)}\ndescription: Orders of each shop\nparams: { start: { type: timestamp } }\n---*/\nselect shop, count(*) as orders, sum(total) as total\nfrom orders\nwhere placed_at >= coalesce(@start, timestamp '2000-01-01')\ngroup by shop\norder by shop\n`,
    );
    home.write(
      'queries/per.hour.sql',
      `/*---\n${ID(2)}\ndescription: Orders by the hour\nparams: { start: { type: timestamp }, shop: { type: string } }\n---*/\nselect placed_at as hour, sum(total) as total\nfrom orders\nwhere placed_at >= coalesce(@start, timestamp '2000-01-01') and shop = coalesce(@shop, shop)\ngroup by hour\norder by hour\n`,
    );
    home.write('quern.yaml', 'queries: queries\n');
  });
  afterAll(async () => {
    await services.close();
    home.remove();
  });
  return {
    folder: home.folder,
    write: (name, text) => home.write(name, text),
    async serve({ key, options } = {}) {
      const connection = await services.connection();
      const { engine } = await services.store();
      return served(engine as unknown as EmbeddedEngine, {
        ...(key === undefined ? {} : { key }),
        options: {
          snapshot: () => connection.snapshot(),
          catalog: openCatalog([folder]),
          folders: [folder, boards],
          boardsFolder: boards,
          ...options,
        },
      });
    },
  };
}
