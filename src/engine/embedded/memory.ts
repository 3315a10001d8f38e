// How much memory the embedded engine may take, which is a part of this process and dies with it.
import { totalmem } from 'node:os';

const MEBIBYTE = 2 ** 20;

/** Returns the bytes for all queries that run at once, in whole MiB: half of what the machine, or its container, gives to this process. */
export function engineMemory(): number {
  return Math.floor(Math.min(totalmem(), process.constrainedMemory()) / 2 / MEBIBYTE) * MEBIBYTE;
}
