// The gate of a route decides who may ask now, before anything of a request but its head is read: strangers and callers who ask too often cost no more.
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { type Failure, isFailure } from '../http/failure.ts';
import { ANYBODY, type Caller } from './authentication.ts';
import type { RateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent where the route asks for no key. */
    caller: Caller | undefined;
  }
}

interface GateOptions {
  /** Throws what the key ring throws. */
  readonly callerOf: (request: FastifyRequest) => Caller | Failure;
  readonly rateLimit: RateLimit;
  /** Why a known caller may not ask here. */
  readonly barred?: (caller: Caller, request: FastifyRequest) => Failure | undefined;
  /** `caller`: absent for one who is unknown. */
  readonly refuse: (request: FastifyRequest, reply: FastifyReply, refusal: Failure, caller?: Caller) => void;
  readonly fail: (request: FastifyRequest, reply: FastifyReply, error: unknown) => void;
}

/**
 * The onRequest hook of a route: lets the caller pass who may ask now, at once unless other servers are to be asked. What they showed may end while
 * the body comes: the route looks at it again.
 */
export function createGate({ callerOf, rateLimit, barred, refuse, fail }: GateOptions) {
  return (request: FastifyRequest, reply: FastifyReply, next: HookHandlerDoneFunction): void => {
    const decide = (caller: Caller, limited: Failure | undefined): void => {
      const refusal = limited ?? barred?.(caller, request);
      if (refusal !== undefined) {
        refuse(request, reply, refusal, caller);
        return;
      }
      request.caller = caller;
      // The client waits for this word before it sends the body.
      if (request.headers.expect !== undefined && request.method === 'POST') reply.raw.writeContinue();
      next();
    };
    try {
      const caller = callerOf(request);
      if (isFailure(caller)) {
        refuse(request, reply, caller);
        return;
      }
      const refusal = caller === ANYBODY ? undefined : rateLimit.take(caller);
      if (refusal instanceof Promise) refusal.then((found) => decide(caller, found)).catch((error: unknown) => fail(request, reply, error));
      else decide(caller, refusal);
    } catch (error) {
      fail(request, reply, error);
    }
  };
}
