// A route of Fastify that does nothing but return given bytes with given headers: node bare-server.mjs FILE, a JSON file.
import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';

const { path, headers, body } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const bytes = Buffer.from(body, 'base64');
const server = fastify({ logger: false });
server.get(path, (_, reply) => {
  reply.headers(headers).send(bytes);
});
console.error(`listening on ${await server.listen({ host: '127.0.0.1', port: 0 })}`);
