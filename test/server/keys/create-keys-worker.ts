// Run as a child process: makes keys, each in one go, and prints their secrets, or with `tell` the name of each once it is made.
import { createKey } from '../../../src/server/keys/change-keys.ts';

const [file = '', worker = '', count = '0', tell] = process.argv.slice(2);
const secrets: string[] = [];
for (let i = 0; i < Number(count); i++) {
  const name = `${worker}-${i}`;
  secrets.push((await createKey({ file, now: Date.now }, { name, scopes: ['*'], pins: {}, mayRefresh: false })).secret);
  if (tell !== undefined) process.stdout.write(`${name};\n`);
}
if (tell === undefined) process.stdout.write(JSON.stringify(secrets));
