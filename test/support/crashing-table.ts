// Run as a process of its own: changes a table of a store, and is killed after a step. `what` is load, replace, undo or drop.
import { join } from 'node:path';
import { readManifest } from '../../src/store/manifest.ts';
import { openStore } from '../../src/store/store.ts';
import { dropTable, undoLoad } from '../../src/store/undo.ts';

const [dir = '', what = '', file = '', step = ''] = process.argv.slice(2);
const store = await openStore({ dir, waitMs: 50_000 });
const onStep = (done: string) => {
  if (done === step) process.kill(process.pid, 'SIGKILL');
};
const target = { dir, engine: store.engine, manifest: () => readManifest(dir), reread: () => undefined };
if (what === 'undo') await undoLoad(target, 2, onStep);
else if (what === 'drop') await dropTable(target, 'shop.t', onStep);
else await store.loadTable(what === 'new' ? 'shop.new' : 'shop.t', [join(file)], { onStep, replace: what === 'replace' });
await store.close();
