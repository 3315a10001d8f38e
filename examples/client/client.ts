// A typed client of `quern serve`: the names of endpoints, their arguments and the columns of their rows are checked by TypeScript. The types are generated from
// the server's own description:
//   npx -p openapi-typescript -p typescript@5 openapi-typescript http://127.0.0.1:4000/openapi.json -o quern-api.d.ts
import type { components, paths } from './quern-api.d.ts';

/** `usage.api-counts`, and any other endpoint of the server. */
export type EndpointName = keyof paths extends infer Path ? (Path extends `/api/endpoints/${infer Name}` ? Name : never) : never;
type Get<Name extends EndpointName> = paths[`/api/endpoints/${Name}`]['get'];
export type Arguments<Name extends EndpointName> = Omit<NonNullable<Get<Name>['parameters']['query']>, 'format'>;
export type Row<Name extends EndpointName> = Get<Name>['responses'][200]['content']['application/json']['result'][number];

/** The server's answer to a request that it does not answer with rows. */
export class EndpointError extends Error {
  readonly status: number;
  /** Such as `parameter`, or `timeout`. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface Client {
  /** The rows of an endpoint. Throws EndpointError if the server refuses or fails. */
  rows<Name extends EndpointName>(name: Name, args: Arguments<Name>): Promise<Row<Name>[]>;
}

export function createClient(address: string, key?: string): Client {
  return {
    async rows(name, args) {
      const url = new URL(`/api/endpoints/${name}`, address);
      for (const [parameter, value] of Object.entries(args)) if (value !== undefined) url.searchParams.set(parameter, String(value));
      const reply = await fetch(url, { headers: key === undefined ? {} : { 'X-API-KEY': key } });
      if (!reply.ok) {
        const { error } = (await reply.json()) as components['schemas']['Error'];
        throw new EndpointError(reply.status, error.code, error.message);
      }
      const { result } = (await reply.json()) as { result: Row<typeof name>[] };
      return result;
    },
  };
}
