// What a pool takes of the disk by its own account, which is had without looking through it.
import { openUseTable, totalUse } from '../../src/files/use-table.ts';

/** In bytes; infinite while it is not known. */
export async function used(folder: string): Promise<number> {
  return totalUse(await openUseTable({ folder, suffix: '.x' }).change(() => undefined)) ?? Number.POSITIVE_INFINITY;
}
