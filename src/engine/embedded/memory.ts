// How much memory the embedded engine may take, which is a part of this process and dies with it.
import { totalmem } from 'node:os';

const MEBIBYTE = 2 ** 20;
let bytes: number | undefined;

/** Returns the bytes for all queries that run at once, in whole MiB: half of what the machine, or its container, gives to this process. */
export function engineMemory(): number {
  // The system is asked once: it takes four files to answer, which is a tenth of what the server does for a small query.
  bytes ??= Math.floor(Math.min(totalmem(), process.constrainedMemory()) / 2 / MEBIBYTE) * MEBIBYTE;
  return bytes;
}
