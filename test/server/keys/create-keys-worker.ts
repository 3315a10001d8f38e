// Run as a child process by key-file.test.ts: makes keys, each in one go, and prints their secrets.
import { createKey } from '../../../src/server/keys/change-keys.ts';

const [file = '', worker = '', count = '0'] = process.argv.slice(2);
const secrets: string[] = [];
for (let i = 0; i < Number(count); i++)
  secrets.push((await createKey({ file, now: Date.now }, { name: `${worker}-${i}`, scopes: ['*'], pins: {}, mayRefresh: false })).secret);
process.stdout.write(JSON.stringify(secrets));
