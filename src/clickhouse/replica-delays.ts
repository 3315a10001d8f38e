// How far the replicated tables of each server of a cluster are behind what their other replicas have.
import { quoteString } from './quote.ts';

/** A replicated table that lacks what another replica has had for so long. */
export interface Delay {
  readonly table: string;
  /** More than any time if the replica does not know what the others have. */
  readonly seconds: number;
}

const DELAYS =
  "view(SELECT groupArray((concat(database, '.', table), absolute_delay)) AS delays FROM system.replicas WHERE absolute_delay > 0)";

/** The question for delays; readDelays reads its rows. */
export const delaysQuery = (cluster: string): string =>
  `SELECT _shard_num, delays FROM clusterAllReplicas(${quoteString(cluster)}, ${DELAYS}) SETTINGS skip_unavailable_shards = 1`;

/** Returns the delays of each server that has answered, by its position among all of the cluster. */
export function readDelays(rows: readonly (readonly unknown[])[]): ReadonlyMap<number, readonly Delay[]> {
  return new Map(
    rows.map(([server, delays]) => [
      Number(server) - 1,
      (Array.isArray(delays) ? delays : []).map(([table, seconds]: readonly unknown[]) => ({
        table: String(table),
        seconds: Number(seconds),
      })),
    ]),
  );
}
