// A server that does nothing but return pages that are in memory, by the token in the address: node bare-pages.mjs FILE, a JSON file.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const pages = new Map(JSON.parse(readFileSync(process.argv[2], 'utf8')).map(({ token, file }) => [token, readFileSync(file)]));
const server = createServer((request, response) => {
  const body = pages.get(new URL(request.url, 'http://localhost').searchParams.get('pageToken') ?? '');
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }).end(body);
  });
});
server.listen(0, '127.0.0.1', () => console.error(`listening on http://127.0.0.1:${server.address().port}`));
