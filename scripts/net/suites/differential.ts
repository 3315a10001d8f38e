// The random expressions, queries and idioms of the differential's seeds, with its tables; as many of each as a run in CI asks.

import type { Source } from '../../../src/sql/source.ts';
import { casesOf, questionOf } from '../../differential/expressions.ts';
import { engineTable, randomTable } from '../../differential/generate/tables.ts';
import { optionsOver } from '../../differential/ours.ts';
import type { Argument } from '../../differential/outcome.ts';
import { type EngineTable, sourceOf } from '../../differential/place.ts';
import { engineTables, idiomBatch, QUERIES_OF_BATCH, queryBatch } from '../../differential/queries.ts';
import { type Node, textOf } from '../../differential/tree.ts';
import { describeTables } from '../described.ts';
import { translatedLine } from '../line.ts';
import { inTurn, type Suite } from '../suite.ts';

interface Batch {
  readonly tables: readonly EngineTable[];
  readonly queries: readonly { readonly query: Node; readonly args: readonly Argument[] }[];
}

const KINDS: Readonly<Record<string, { readonly batches: number; readonly batch: (seed: number, batch: number) => Batch }>> = {
  expressions: {
    batches: 15,
    batch(seed, batch) {
      const { random, cases } = casesOf(seed, batch);
      const queries = cases.map((one) => ({ query: questionOf(one).query, args: [] }));
      return { tables: [engineTable(randomTable(random, 't1', { rows: 1 }))], queries };
    },
  },
  queries: { batches: 240 / QUERIES_OF_BATCH, batch: (seed, batch) => withTables(queryBatch(seed, batch)) },
  idioms: { batches: 900 / QUERIES_OF_BATCH, batch: (seed, batch) => withTables(idiomBatch(seed, batch)) },
};

const withTables = ({ tables, queries }: ReturnType<typeof queryBatch> | ReturnType<typeof idiomBatch>): Batch => ({
  tables: engineTables(tables),
  queries: queries.map(({ query, args }) => ({ query, args })),
});

export const differential: Suite = {
  units: () =>
    [1, 2, 3].flatMap((seed) =>
      Object.entries(KINDS).flatMap(([kind, { batches }]) =>
        Array.from({ length: batches }, (_, batch) => `seed-${seed}/${kind}-${batch}`),
      ),
    ),
  async lines(unit) {
    const [, seed = '', kind = '', number = ''] = /^seed-(\d+)\/(\w+)-(\d+)$/.exec(unit) ?? [];
    const batch = KINDS[kind]?.batch(Number(seed), Number(number)) ?? { tables: [], queries: [] };
    const sources = await sourcesOf(batch.tables);
    return inTurn(batch.queries, ({ query, args }) =>
      translatedLine({ from: unit, text: textOf(query), beside: args.map(({ name }) => name).join() }, optionsOver(sources, args)),
    );
  },
};

async function sourcesOf(tables: readonly EngineTable[]): Promise<readonly Source[]> {
  const makes = ({ columnsOf, name, statements }: EngineTable): string =>
    statements[0] ?? tables.find((table) => table.name === (columnsOf ?? name))?.statements[0] ?? '';
  const described = await describeTables(tables.map(makes));
  return tables.map((table, at) => sourceOf(table, described[at] ?? []));
}
