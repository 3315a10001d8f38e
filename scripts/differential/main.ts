// Asks random expressions and queries of quern and of the reference, and tells where they differ.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { holdCeiling } from './ceiling.ts';
import { clusterPlace, type Form } from './cluster.ts';
import { askBatch } from './expressions.ts';
import { investigation } from './investigate.ts';
import { isFault } from './judge.ts';
import { openOurs } from './ours.ts';
import { embeddedPlace } from './place.ts';
import { askQueries, idiomBatch, queryBatch } from './queries.ts';
import { installReference } from './reference/install.ts';
import { openReference } from './reference/service.ts';
import { details, faultsOf, grouped, shownGroup, table, tally } from './statistics.ts';

export { FORMS } from './cluster.ts';

export interface Options {
  readonly seed: number;
  readonly seconds: number;
  readonly expressions: number;
  readonly queries: number;
  /** Queries in the forms that people's have, of their own random numbers. */
  readonly idioms?: number;
  /** The form of tables that are spread over two shards, each of so many replicas, instead of an embedded engine. */
  readonly cluster?: { readonly form: Form; readonly replicas: number };
  /** A file that findings are written to, a line of JSON for each. */
  readonly out?: string;
  /** Findings are told as they are found, and not made small. */
  readonly quick?: boolean;
  /** Faults are compared with what is recorded for the seed: more are a failure. `lower` records fewer. */
  readonly ceiling?: 'hold' | 'lower';
}

/** A long run says so often how far it is. */
const PROGRESS_MS = 120_000;

export async function main({
  seed,
  seconds,
  expressions,
  queries,
  idioms = 0,
  cluster,
  out,
  quick = false,
  ceiling,
}: Options): Promise<number> {
  const say = (line: string): void => console.log(line);
  const started = Date.now();
  const time = (): boolean => Date.now() < started + seconds * 1000;
  const reference = await openReference(installReference(say), (line) => console.error(line));
  const ours = openOurs(cluster === undefined ? await embeddedPlace() : await clusterPlace(cluster.form, cluster.replicas));
  const sides = { ours, reference };
  const counted = tally();
  const { findings, expression, query } = investigation(sides, counted, !quick);
  const write = (): void => {
    if (out === undefined) return;
    mkdirSync(dirname(resolve(out)), { recursive: true });
    writeFileSync(out, findings.map((finding) => `${JSON.stringify(finding)}\n`).join(''));
  };

  let asked = 0;
  let answered = 0;
  let formed = 0;
  let told = started;
  for (let batch = 0; time() && (asked < expressions || answered < queries || formed < idioms); batch++) {
    if (asked < expressions) {
      await askBatch(sides, seed, batch, async ({ case: { name }, question, answer, table }) => {
        asked++;
        await expression(name, question, answer, table);
      });
    }
    const more = (): boolean => answered < queries && time();
    if (more()) {
      await askQueries(
        sides,
        queryBatch(seed, batch),
        async (question, answer, tables) => {
          answered++;
          await query('queries', question, answer, tables);
        },
        more,
      );
    }
    const moreIdioms = (): boolean => formed < idioms && time();
    if (moreIdioms()) {
      await askQueries(
        sides,
        idiomBatch(seed, batch),
        async (question, answer, tables) => {
          formed++;
          await query('idioms', question, answer, tables);
        },
        moreIdioms,
      );
    }
    write();
    if (Date.now() > told + PROGRESS_MS) {
      told = Date.now();
      console.error(
        `${((told - started) / 60_000).toFixed(0)} min: ${asked} expressions, ${answered + formed} queries, ${findings.length} findings`,
      );
    }
  }
  await ours.close();
  reference.stop();
  say(table(counted));
  const faults = findings.filter((finding) => isFault(finding.class));
  const groups = grouped(findings);
  say(`\n${faults.length} faults, findings of ${groups.length} kinds in ${((Date.now() - started) / 1000).toFixed(0)} s`);
  const above = ceiling === undefined ? [] : holdCeiling(runName(seed, cluster), faultsOf(counted), ceiling);
  const wrong = ceiling === undefined ? faults.length > 0 : above.length > 0;
  // A run that only has to stay below its ceiling, and did, needs no more words.
  if (ceiling === undefined || wrong) {
    say(details(counted));
    for (const group of groups) say(shownGroup(group));
  }
  for (const line of above) console.error(line);
  return wrong ? 1 : 0;
}

/** What the ceiling of a run is recorded under. */
const runName = (seed: number, cluster: Options['cluster']): string => (cluster === undefined ? `${seed}` : `${cluster.form} ${seed}`);
