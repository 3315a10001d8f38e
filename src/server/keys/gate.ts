// Who may ask now. It is known before anything of a request but its head is read, so that strangers and those who ask too often cost nothing more.
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { isRefusal, type Refusal } from '../http/refusal.ts';
import type { Refuse } from '../http/refuse.ts';
import { ANYBODY, type Authenticate, type Caller } from './authentication.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * The caller, if they may ask now; all others have been refused. At once (no Promise) unless other servers are to be asked. Throws or rejects with
 * what the key ring throws.
 */
export type Admit<Request extends FastifyRequest = FastifyRequest> = (
  request: Request,
  reply: FastifyReply,
) => Caller | undefined | Promise<Caller | undefined>;

interface AdmitOptions {
  readonly authenticate: Authenticate;
  readonly rateLimit: RateLimit;
  readonly refuse: Refuse;
}

/** For addresses other than endpoints, which take the key from headers only. */
export function createAdmit({ authenticate, rateLimit, refuse }: AdmitOptions): Admit {
  return (request, reply) => {
    const caller = authenticate({ headers: request.headers });
    return onceKnown(refusalOf(caller, rateLimit), (refusal) => {
      if (refusal !== undefined) refuse(request, reply, refusal, caller);
      return isRefusal(caller) || refusal !== undefined ? undefined : caller;
    });
  };
}

/** Goes on at once with what is known at once. */
export function onceKnown<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Why the caller is not answered now. */
export function refusalOf(caller: Caller | Refusal, rateLimit: RateLimit): ReturnType<RateLimit['take']> {
  if (isRefusal(caller)) return caller;
  return caller === ANYBODY ? undefined : rateLimit.take(caller);
}

/**
 * The hook of a route that reads a body for those alone who have been admitted. What they showed may end while the body comes: the route looks at
 * it again.
 */
export function createGate<Request extends FastifyRequest>(
  admit: Admit<Request>,
): (request: Request, reply: FastifyReply, next: HookHandlerDoneFunction) => void {
  return (request, reply, next) => {
    const pass = (caller: Caller | undefined): void => {
      if (caller === undefined) return;
      // The client waits for this word before it sends the body.
      if (request.headers.expect !== undefined) reply.raw.writeContinue();
      next();
    };
    const found = admit(request, reply);
    if (found instanceof Promise) found.then(pass).catch(next);
    else pass(found);
  };
}
