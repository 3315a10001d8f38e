// Run as a process of its own: loads a file into a store and is killed after a step, or holds the store until its standard input ends.
import { openStore } from '../../src/store/store.ts';

const [dir = '', file = '', step = ''] = process.argv.slice(2);
const store = await openStore({ dir, waitMs: 50_000 });
if (file === 'hold') {
  process.stdout.write('held\n');
  process.stdin.resume().on('end', () => void store.close());
} else {
  await store.load('edge_logs', file, {
    onStep: (done) => {
      if (done === step) process.kill(process.pid, 'SIGKILL');
    },
  });
  await store.close();
}
