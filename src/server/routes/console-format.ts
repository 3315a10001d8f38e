// The text of the SQL page laid out, as `quern fmt` does it.
import { QuernError } from '../../base/errors.ts';
import type { ConsoleFormatted } from '../console/contract.ts';
import { json } from '../http/reply.ts';
import { barredFromSqlPage } from '../keys/authentication.ts';
import { MOST_READ } from './console.ts';
import type { Route } from './route.ts';
import { readTypedText } from './typed-call.ts';

export const consoleFormat: Route = {
  method: 'POST',
  path: '/api/console/format',
  access: 'key',
  open:
    () =>
    async ({ request, caller }) => {
      const refusal = barredFromSqlPage(caller);
      if (refusal !== undefined) return refusal;
      const { sql } = readTypedText(Object(request.body));
      if (sql.length > MOST_READ)
        throw new QuernError('too-complex', `the text has more than ${MOST_READ} characters`, { hint: 'lay it out with quern fmt' });
      const { formatSource } = await import('../../queries/format-source.ts');
      return json({ sql: formatSource({ name: 'sql', text: sql }, undefined) ?? sql } satisfies ConsoleFormatted);
    },
};
