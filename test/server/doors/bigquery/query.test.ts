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

  test('comes in where the address that a client was given ends with a slash', async () => {
    const { address } = await door(engine());
    expect((await fetch(`${address}//bigquery/v2/projects`)).status).toBe(200);
  });

  test('that is a script has the rows of its last query', async () => {
    const { clients } = await door(engine());
    const script = `declare wanted string default 'auth';
      select 1 as first;
      execute immediate format("select count(*) as n, any_value(st_geogpoint(1, 2)) as place from %s where area = @area", 'events') using wanted as area;`;
    for (const client of clients) {
      const [rows] = await client.query(script);
      expect(rows.map(({ n, place }) => [n, place.value])).toEqual([[5, 'POINT(1 2)']]);
      await expect(client.query('if (select true) then select 1; end if')).rejects.toThrow(/only the run can decide.* at \[1:4\]/);
    }
  });
});
