// Refuses requests that are for no endpoint: the reply, and what is kept of it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ANYBODY, type Caller } from '../keys/authentication.ts';
import { type Begin, NO_ENDPOINT } from '../observe/finish.ts';
import { refused } from './failure.ts';
import type { Refusal } from './refusal.ts';
import { sendFailure } from './reply.ts';

/** `caller`: where it is known who asks. */
export type Refuse = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal, caller?: Caller | Refusal) => void;

export function createRefuse(begin: Begin): Refuse {
  return (request, reply, refusal, caller = ANYBODY) => {
    const { done } = begin(request, performance.now());
    sendFailure(request, reply, refused(refusal));
    done({ endpoint: NO_ENDPOINT, status: refusal.status, caller, refused: refusal.code });
  };
}
