// Keeps requests in flight until standard input ends, and asks again at once when one is refused: node flood.mjs URL KEY COUNT
import { Agent, get } from 'node:http';

const [url, key, count] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const first = Date.now();
let asked = 0;

const ask = () => {
  get(`${url}?n=${first + ++asked}`, { agent, headers: { 'x-api-key': key } }, (reply) => reply.resume().on('end', ask)).on('error', () =>
    setTimeout(ask, 100),
  );
};
process.stdin.resume().on('end', () => process.exit());
for (let i = 0; i < Number(count); i++) ask();
