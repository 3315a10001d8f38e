// What a browser keeps of the replies, and whom it gives it to: a real Chromium asks with one key, with another, and with none.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createKey } from '../../src/server/keys/change-keys.ts';
import { queryText } from '../queries/support.ts';
import { describeInBrowser, visitor } from './console/support.ts';
import { eventsEngine, type Served, type ServedOptions, served } from './server-support.ts';

const engine = eventsEngine();
const URL = '/api/endpoints/ids?most=2';
const WITH_ADDRESS = queryText(9, "select 'asked by 192.0.2.7' as text", 'cache: 60s');

interface Fetched {
  readonly status: number;
  readonly body: string;
}

const fetched = (page: Page, url: string, headers: Readonly<Record<string, string>>): Promise<Fetched> =>
  page.evaluate(
    async ([address, sent]) => {
      const reply = await fetch(address, { headers: sent });
      return { status: reply.status, body: await reply.text() };
    },
    [url, headers] as const,
  );

describeInBrowser('a browser', () => {
  const { visit } = visitor();

  /** A server with a key for the area `auth`, and the secret of another for `rest`. */
  const twoKeys = async (options: ServedOptions['options'] = {}): Promise<{ readonly server: Served; readonly other: string }> => {
    const server = await served(engine(), { key: { pins: { area: 'auth' } }, options });
    const { secret } = await createKey(
      { file: server.keysFile, now: server.clock.now },
      { name: 'other', scopes: ['*'], pins: { area: 'rest' }, mayRefresh: false },
    );
    server.clock.advance(1);
    return { server, other: secret };
  };
  const areas = ({ status, body }: Fetched): string => `${status} ${[...new Set(body.match(/"(?:auth|rest)"/g))].join(' ')}`;

  test.each(['none', 'logflare'] as const)('gives the rows of a key to no other key, and not to nobody (compat: %s)', async (compat) => {
    const { server, other } = await twoKeys(compat === 'none' ? {} : { compat });
    const { page } = await visit(server);
    const asked = async (headers: Readonly<Record<string, string>>): Promise<string> => areas(await fetched(page, URL, headers));
    expect(await asked({ 'x-api-key': server.secret })).toBe('200 "auth"');
    expect(await asked({ 'x-api-key': other })).toBe('200 "rest"');
    expect(await asked({ authorization: `Bearer ${server.secret}` })).toBe('200 "auth"');
    expect(await asked({ authorization: `Bearer ${other}` })).toBe('200 "rest"');
    expect(await asked({})).toBe('401 ');
    expect(await asked({ 'x-api-key': server.secret })).toBe('200 "auth"');
  });

  test('keeps the rows of a key in an address from those of another address, and of a key in a header', async () => {
    const { server, other } = await twoKeys({ compat: 'logflare' });
    const { page } = await visit(server);
    const asked = async (url: string, headers: Readonly<Record<string, string>>): Promise<string> =>
      areas(await fetched(page, url, headers));
    const address = `${URL}&api_key=${server.secret}`;
    expect(await asked(address, {})).toBe('200 "auth"');
    expect(await asked(address, { 'x-api-key': other })).toBe('200 "rest"');
    expect(await asked(`${URL}&api_key=${other}`, {})).toBe('200 "rest"');
    expect(await asked(address, {})).toBe('200 "auth"');
  });

  test('does not take rows for redacted that are not', async () => {
    const server = await served(engine(), { key: {}, files: { 'told.sql': WITH_ADDRESS } });
    const { page } = await visit(server);
    const asked = async (headers: Readonly<Record<string, string>>): Promise<string> => {
      const { body } = await fetched(page, '/api/endpoints/told', { 'x-api-key': server.secret, ...headers });
      return body.includes('192.0.2.7') ? 'whole' : 'redacted';
    };
    expect([await asked({}), await asked({ 'lf-endpoint-redact-pii': 'true' }), await asked({})]).toEqual(['whole', 'redacted', 'whole']);
  });

  test('still keeps them for the key that asked, and learns with 304 that they are the same', async () => {
    const { server } = await twoKeys();
    const { page } = await visit(server);
    const headers = { 'x-api-key': server.secret };
    const requests = (): number => server.log.filter(({ endpoint }) => endpoint === 'ids').length;
    const rows = await fetched(page, URL, headers);
    expect([await fetched(page, URL, headers), requests()]).toEqual([rows, 1]);
    const again = await page.evaluate(
      async ([url, sent]) => (await fetch(url, Object.assign({ headers: sent }, { cache: 'no-cache' }))).text(),
      [URL, headers] as const,
    );
    expect([again, server.log.at(-1)]).toEqual([rows.body, expect.objectContaining({ endpoint: 'ids', status: 304, cache: 'hit' })]);
  });
});
