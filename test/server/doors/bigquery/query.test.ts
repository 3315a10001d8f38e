// jobs.query, asked by Google's own clients.
import { describe, expect, test } from 'vitest';
import { eventsEngine } from '../../server-support.ts';
import { door } from './support.ts';

const engine = eventsEngine();

describe('a query of Google’s clients', () => {
  test('over constants and over a table', async () => {
    const { clients } = await door(engine());
    for (const client of clients) {
      expect((await client.query("select 1 as one, 'a' as a"))[0]).toEqual([{ one: 1, a: 'a' }]);
      const [rows] = await client.query('select area, count(*) as n from events group by area order by area');
      expect(rows).toEqual([
        { area: 'auth', n: 5 },
        { area: 'rest', n: 5 },
      ]);
    }
  });
});
