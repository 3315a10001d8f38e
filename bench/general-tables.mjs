// Tables that people have who come with queries of their own: one of page views, one shop in the third normal form, and sales around dimensions, whose columns may
// be NULL. All are stored in the narrowest types that hold their values.

/** A number below `limit` that is the same at each run. */
const random = (seed, limit) => `cityHash64(number, ${seed}) % ${limit}`;
/** A number below `limit`, small ones more often than large ones. */
const skewed = (seed, limit) => `toUInt64(pow((cityHash64(number, ${seed}) % 1000000) / 1000000, 4) * ${limit})`;
const oneOf = (seed, ...values) => `[${values.map((value) => `'${value}'`).join(', ')}][1 + ${random(seed, values.length)}]`;
const orNull = (seed, value) => `if(${random(seed, 25)} = 0, NULL, ${value})`;

/** Rows of each table as a part of the largest ones'. */
const TABLES = {
  views: {
    part: 1,
    key: 'site, day, visitor, seen',
    columns: {
      site: ['Int32', skewed(1, 5000)],
      day: ['Date', `toDate('2025-07-01') + ${random(2, 31)}`],
      seen: ['DateTime', `toDateTime(toDate('2025-07-01') + ${random(2, 31)}, 'UTC') + ${random(3, 86400)}`],
      visitor: ['Int64', `1000000007 * toInt64(${skewed(4, 90000)})`],
      region: ['Int32', skewed(6, 9000)],
      address: ['Int32', random(7, 100000)],
      width: ['Int16', `[0, 1024, 1280, 1366, 1440, 1536, 1600, 1920][1 + ${random(8, 8)}]`],
      engine: ['UInt8', `if(${random(9, 20)} < 17, 0, ${random(10, 60)})`],
      reload: ['UInt8', `${random(11, 12)} = 0`],
      phrase: ['String', `if(${random(12, 8)} < 7, '', concat('how to ', hex(${skewed(13, 20000)})))`],
      title: ['LowCardinality(String)', `concat('Title ', toString(${skewed(14, 900)}))`],
      url: [
        'String',
        `concat('https://', ${oneOf(15, 'www.', '', 'shop.')}, 'site-', toString(${skewed(16, 300)}), '.example/', hex(${skewed(17, 9000)}))`,
      ],
    },
  },
  customers: {
    part: 0.025,
    key: 'customer',
    columns: {
      customer: ['Int32', 'number + 1'],
      nation: ['LowCardinality(String)', oneOf(21, 'KENYA', 'PERU', 'JAPAN', 'FRANCE', 'CANADA')],
      phone: ['String', `concat(toString(10 + ${random(22, 25)}), '-', toString(${random(23, 1000000)}))`],
      balance: ['Decimal(15, 2)', `(toInt64(${random(24, 1100000)}) - 100000) / 100`],
      segment: ['LowCardinality(String)', oneOf(25, 'HOME', 'AUTO', 'TOOLS')],
    },
  },
  orders: {
    part: 0.25,
    key: 'order_id',
    columns: {
      order_id: ['Int32', 'number * 4 + 1'],
      customer: ['Int32', `1 + 3 * (${random(31, 100000)} % %customers%) % %customers%`],
      status: ['LowCardinality(String)', oneOf(32, 'O', 'F', 'P')],
      total: ['Decimal(15, 2)', `${random(33, 50000000)} / 100`],
      ordered: ['Date', `toDate('1992-01-01') + ${random(34, 2400)}`],
      priority: ['LowCardinality(String)', oneOf(35, '1-URGENT', '2-HIGH', '3-MEDIUM', '4-LOW', '5-NONE')],
    },
  },
  parts: {
    part: 0.02,
    key: 'part',
    columns: {
      part: ['Int32', 'number + 1'],
      brand: ['LowCardinality(String)', `concat('Brand#', toString(${random(41, 25)}))`],
      type: ['LowCardinality(String)', oneOf(42, 'PROMO STEEL', 'PROMO TIN', 'SMALL STEEL', 'LARGE TIN', 'ECONOMY BRASS')],
      size: ['Int32', `1 + ${random(43, 50)}`],
      box: ['LowCardinality(String)', oneOf(44, 'SM CASE', 'SM BOX', 'MED BAG', 'LG CASE', 'LG BOX', 'JUMBO PKG')],
    },
  },
  lines: {
    part: 1,
    key: 'order_id, line',
    columns: {
      order_id: ['Int32', 'intDiv(number, 4) * 4 + 1'],
      line: ['Int32', 'number % 4 + 1'],
      part: ['Int32', `1 + ${random(51, '%parts%')}`],
      supplier: ['Int32', `1 + ${random(52, 1000)}`],
      quantity: ['Decimal(15, 2)', `1 + ${random(53, 50)}`],
      price: ['Decimal(15, 2)', `(90000 + ${random(54, 10000000)}) / 100`],
      discount: ['Decimal(15, 2)', `${random(55, 11)} / 100`],
      tax: ['Decimal(15, 2)', `${random(56, 9)} / 100`],
      returned: ['LowCardinality(String)', oneOf(57, 'A', 'N', 'R')],
      status: ['LowCardinality(String)', oneOf(58, 'O', 'F')],
      shipped: ['Date', `toDate('1992-01-02') + ${random(59, 2500)}`],
      promised: ['Date', `toDate('1992-01-02') + ${random(59, 2500)} + ${random(60, 30)}`],
      received: ['Date', `toDate('1992-01-02') + ${random(59, 2500)} + ${random(61, 40)}`],
      mode: ['LowCardinality(String)', oneOf(62, 'AIR', 'AIR REG', 'RAIL', 'SHIP', 'TRUCK', 'MAIL')],
    },
  },
  days: {
    rows: 2000,
    key: 'day_id',
    columns: {
      day_id: ['Int32', '2450000 + number'],
      day: ['Date', "toDate('1998-01-01') + number"],
      year: ['Int32', "toYear(toDate('1998-01-01') + number)"],
      month: ['Int32', "toMonth(toDate('1998-01-01') + number)"],
    },
  },
  items: {
    part: 0.018,
    key: 'item',
    columns: {
      item: ['Int64', 'number + 1'],
      category: ['LowCardinality(Nullable(String))', orNull(71, oneOf(72, 'Books', 'Music', 'Shoes', 'Sports', 'Women', 'Men'))],
      class: ['LowCardinality(Nullable(String))', orNull(73, `concat('class ', toString(${random(74, 90)}))`)],
      maker: ['Nullable(Int32)', orNull(75, random(76, 1000))],
    },
  },
  sales: {
    part: 1,
    key: 'item, ticket',
    columns: {
      item: ['Int64', `1 + ${random(81, '%items%')}`],
      ticket: ['Int64', 'intDiv(number, 8)'],
      sold_on: ['Nullable(Int32)', orNull(82, `2450000 + ${random(83, 2000)}`)],
      customer: ['Nullable(Int32)', orNull(84, `1 + ${random(85, '%customers%')}`)],
      store: ['Nullable(Int32)', orNull(86, `1 + ${random(87, 12)}`)],
      quantity: ['Nullable(Int32)', orNull(88, `1 + ${random(89, 100)}`)],
      price: ['Nullable(Decimal(7, 2))', orNull(90, `${random(91, 20000)} / 100`)],
      profit: ['Nullable(Decimal(7, 2))', orNull(92, `(toInt64(${random(93, 40000)}) - 20000) / 100`)],
    },
  },
};

/** The statements that make the tables, where the largest have this many rows: what quern reads of each, and what fills it. */
export function generalTables(rows) {
  const rowsOf = (name) => TABLES[name].rows ?? Math.ceil(rows * TABLES[name].part);
  return Object.entries(TABLES).map(([name, { key, columns }]) => {
    const declared = Object.entries(columns).map(([column, [type]]) => `${column} ${type}`);
    const values = Object.entries(columns).map(([column, [type, value]]) => `CAST(${value}, '${type}') AS ${column}`);
    return {
      create: `CREATE TABLE ${name} (${declared.join(', ')}) ENGINE = MergeTree ORDER BY (${key})`,
      fill: `INSERT INTO ${name} SELECT ${values.join(', ')} FROM numbers(${rowsOf(name)})`.replace(/%(\w+)%/g, (_, other) =>
        rowsOf(other),
      ),
    };
  });
}
