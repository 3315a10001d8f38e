// Products and sums of decimal columns: those whose digits NUMERIC surely holds are not rounded, and all are BigQuery's.
import { testRealTables } from '../../support/real-tables.ts';

testRealTables(
  {
    money: {
      columns: 'id Int64, price Decimal(15, 2), part Decimal(9, 4), fine Decimal(15, 6), most Nullable(Decimal(38, 9)), n Int32',
      rows:
        '(1, 1.25, 0.3333, 0.000001, 0.000000001, 3), (2, -9999999999999.99, 99999.9999, -0.5, NULL, -2), ' +
        "(3, 0.01, -0.0001, 999999999.999999, '99999999999999999999999999999.999999999', 2147483647)",
    },
  },
  {
    'products whose digits fit': [
      ['SELECT CAST(price * part AS STRING) FROM money ORDER BY id', [['0.416625'], ['-999999998999999000.000001'], ['-0.000001']]],
      ['SELECT CAST(price * (1 - part) * 2 AS STRING) FROM money WHERE id = 1', [['1.66675']]],
      ['SELECT CAST(price * n AS STRING) FROM money ORDER BY id', [['3.75'], ['19999999999999.98'], ['21474836.47']]],
      ["SELECT CAST(price * NUMERIC '0.5' AS STRING) FROM money ORDER BY id", [['0.625'], ['-4999999999999.995'], ['0.005']]],
      ['SELECT CAST(SUM(price) * n AS STRING) FROM money WHERE id < 3 GROUP BY id, n ORDER BY id', [['3.75'], ['19999999999999.98']]],
      ['SELECT CAST(IF(id = 1, price, fine) * part AS STRING) FROM money WHERE id < 3 ORDER BY id', [['0.416625'], ['-49999.99995']]],
    ],
    'products that are rounded': [
      ['SELECT CAST(fine * part AS STRING) FROM money ORDER BY id', [['0.000000333'], ['-49999.99995'], ['-100000']]],
      ['SELECT CAST(fine * fine AS STRING) FROM money ORDER BY id', [['0'], ['0.25'], ['999999999999998000']]],
      ['SELECT CAST(most * price AS STRING) FROM money WHERE id < 3 ORDER BY id', [['0.000000001'], [null]]],
      ["SELECT CAST(part * NUMERIC '0.000005' AS STRING) FROM money WHERE id = 1", [['0.000001667']]],
    ],
    'sums that cannot leave the range': [
      [
        'SELECT CAST(SUM(price) AS STRING), CAST(AVG(part) AS STRING), CAST(SUM(most) AS STRING) FROM money WHERE id < 3',
        [['-9999999999998.74', '50000.1666', '0.000000001']],
      ],
      ['SELECT SUM(price), SUM(price * part) FROM money WHERE id > 9', [[null, null]]],
    ],
  },
);
