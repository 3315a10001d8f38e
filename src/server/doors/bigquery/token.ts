// POST /token: what Google's libraries ask Google's token server with a service-account file. They get back what they have signed: it says all that a token
// would, and every server that reads the key file can verify it, as long as the key is there.
// https://www.rfc-editor.org/rfc/rfc7523#section-2.1, https://www.rfc-editor.org/rfc/rfc6749#section-5
import { isFailure } from '../../http/failure.ts';
import { json } from '../../http/reply.ts';
import { claimsIn } from '../../keys/assertions.ts';
import { TOKEN_PATH } from '../../keys/service-account.ts';
import type { Route } from '../../routes/route.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export const tokenRoute: Route = {
  method: 'POST',
  path: TOKEN_PATH,
  access: 'anybody',
  form: true,
  open:
    ({ authenticate, clock }) =>
    ({ request }) => {
      const { grant_type: grant, assertion } = Object(request.body) as { readonly grant_type?: unknown; readonly assertion?: unknown };
      if (grant !== GRANT) return refused('unsupported_grant_type', `grant_type must be ${GRANT}`);
      if (typeof assertion !== 'string' || assertion === '') return refused('invalid_request', 'there is no assertion');
      const claims = claimsIn(assertion);
      if (claims === undefined)
        return refused('invalid_grant', 'the assertion is not of a service account that `quern keys create --google-credentials` has made');
      if (claims['aud'] === undefined) return refused('invalid_grant', 'the assertion has no aud');
      const found = authenticate({ headers: { ...request.headers, 'x-api-key': undefined, authorization: `Bearer ${assertion}` } });
      if (isFailure(found)) return refused('invalid_grant', found.message);
      const seconds = Math.floor(Number(claims['exp']) - clock.now() / 1000);
      // A server without keys looks at no claim.
      return json({ access_token: assertion, expires_in: seconds > 0 ? seconds : 1, token_type: 'Bearer' });
    },
};

const refused = (error: string, description: string) => json({ error, error_description: description }, 400);
