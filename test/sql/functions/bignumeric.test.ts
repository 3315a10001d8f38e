// BIGNUMERIC over its whole range, which is that of ClickHouse's Decimal256 but for the texts that it reads.
import { testExpressions } from '../../support/expression-rows.ts';

const MOST = '578960446186580977117854925043439539266.34992332820282019728792003956564819967';
const LEAST = '-578960446186580977117854925043439539266.34992332820282019728792003956564819968';

testExpressions({
  literals: [
    [`CAST(BIGNUMERIC '${MOST}' AS STRING)`, null, MOST],
    [`CAST(BIGNUMERIC '${LEAST}' AS STRING)`, null, LEAST],
    [`CAST(CAST('${MOST}' AS BIGNUMERIC) AS STRING)`, null, MOST],
    [`IF(BIGNUMERIC '${MOST}' > BIGNUMERIC '${LEAST}', 'more', 'less')`, null, 'more'],
    [`CAST(-BIGNUMERIC '${MOST}' AS STRING)`, null, `-${MOST}`],
    [`CAST(ABS(-BIGNUMERIC '${MOST}') AS STRING)`, null, MOST],
    [`CAST(FLOOR(BIGNUMERIC '${MOST}') AS STRING)`, null, '578960446186580977117854925043439539266'],
    [`CAST(CAST(' 1.5 ' AS NUMERIC) AS STRING)`, null, '1.5'],
    [`SAFE_CAST('x' AS NUMERIC)`, null, null],
    [`SAFE.ABS(BIGNUMERIC '${LEAST}')`, null, null],
  ],
});
