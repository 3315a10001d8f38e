// A rare branch is computed for rare rows alone, also where ClickHouse computes all branches of a choice.
import { expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '../../../src/engine/embedded/embedded.ts';
import { failIf, ident, infix, lit, rarely } from '../../../src/sql/target/build.ts';
import { printExpr } from '../../../src/sql/target/print.ts';
import { tempFolder } from '../../support/temp-store.ts';

test('a rare branch is computed for no usual row', async () => {
  const folder = tempFolder();
  const engine = await openEmbedded({ path: folder.path });
  onTestFinished(async () => {
    await engine.close();
    folder.remove();
  });
  const number = ident('number');
  const small = infix('<', number, lit(5));
  const value = rarely(small, number, [number], (odd) => failIf(infix('<', odd, lit(5)), 'computed', odd));
  const doubled = (rows: number) =>
    engine.rows(
      `SELECT if(v > 3, v, abs(v * 2)) FROM (SELECT ${printExpr(value, '')} AS v FROM numbers(${rows})) SETTINGS short_circuit_function_evaluation = 'force_enable'`,
    );
  expect((await doubled(7)).map(([v]) => Number(v))).toEqual([0, 2, 4, 6, 4, 5, 6]);
});
