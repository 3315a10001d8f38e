// quern query and quern run -: SQL that nobody has saved.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());
beforeAll(() => {
  home.write('data/orders.csv', 'id,total\n1,5.5\n2,7\n');
});

const query = (sql: string, ...flags: readonly string[]) => home.run(['query', sql, ...flags]);

describe('quern query', () => {
  test('prints the rows of SQL on the line, in every format', async () => {
    expect(await query('select 1 as a, "x" as b')).toEqual({ stdout: '{"a":1,"b":"x"}\n', stderr: '', exitCode: 0 });
    expect((await query('select 1 as a, "x" as b', '--format', 'csv')).stdout).toBe('a,b\n1,"x"\n');
    expect((await query('select 1 as a', '--scalar')).stdout).toBe('1\n');
    await query('select 1 as a', '--output', 'out.json');
    expect(JSON.parse(readFileSync(join(home.folder, 'out.json'), 'utf8'))).toEqual({ result: [{ a: 1 }] });
  });

  test('leaves the store alone while it reads none of its tables', async () => {
    for (const [sql, rows] of [
      ['select 1 + 1 as two, 1 as n', '{"two":2,"n":1}\n'],
      ['select sum(total) as s from `data/orders.csv`; select max(id) as id from `data/orders.csv`', '{"s":12.5}\n{"id":2}\n'],
    ])
      expect(await query(sql ?? '', '--store', 'nowhere')).toEqual({ stdout: rows, stderr: '', exitCode: 0 });
    expect(existsSync(join(home.folder, 'nowhere'))).toBe(false);
    expect(await query('select count(*) as n from `data/orders.csv` o left join edge_logs e on e.id = "1"', '--store', 'nowhere')).toEqual({
      stdout: '{"n":2}\n',
      stderr: '',
      exitCode: 0,
    });
    expect(existsSync(join(home.folder, 'nowhere'))).toBe(true);
    expect(readdirSync(join(home.folder, '.cache/quern')).filter((name) => name.startsWith('.quern-engine'))).toEqual([]);
  });

  describe('a text with several queries', () => {
    const text = 'declare n int64 default 1; select n as a; set n = 2; select n as b, "x" as c; select 3 as d';

    test('prints their rows one after the other', async () => {
      expect(await query(text)).toEqual({ stdout: '{"a":1}\n{"b":2,"c":"x"}\n{"d":3}\n', stderr: '', exitCode: 0 });
      expect((await query(text, '--format', 'csv')).stdout).toBe('a\n1\n\nb,c\n2,"x"\n\nd\n3\n');
      expect(JSON.parse((await query(text, '--format', 'json')).stdout)).toEqual([
        { result: [{ a: 1 }] },
        { result: [{ b: 2, c: 'x' }] },
        { result: [{ d: 3 }] },
      ]);
      const { stdout, stderr } = await home.run(['query', 'select 1 as a; select 2 as b'], { terminal: 80 });
      expect(stdout).toMatch(/a.*1.*\n\n.*b.*2/s);
      expect(stderr.match(/1 row in/g)).toHaveLength(2);
    });

    test('and are refused where only one result has room', async () => {
      for (const [flags, message] of [
        [['--format', 'parquet'], 'the text has 3 queries, and parquet holds the rows of one'],
        [['--output', 'several.csv'], 'the text has 3 queries, and several.csv would hold the rows of one'],
        [['--scalar'], '--scalar prints a single value, but the text has 3 queries'],
      ] as const) {
        const { stdout, stderr, exitCode } = await query(text, ...flags);
        expect([stdout, exitCode]).toEqual(['', 2]);
        expect(stderr).toContain(message);
      }
    });

    test('go on behind one whose rows are cut off', async () => {
      const { stdout, exitCode } = await query('select x from unnest([1, 2]) as x order by x; select 3 as x', '--max-rows', '1');
      expect([stdout, exitCode]).toEqual(['{"x":1}\n{"x":3}\n', 1]);
    });

    test('a saved query with several prints all of them, from the cache too', async () => {
      home.write('several.sql', 'select 1 as a;\nif true then select 2 as b; end if;\nexecute immediate "select 3 as c"');
      for (let run = 0; run < 2; run += 1)
        expect(await home.run(['run', 'several.sql'])).toEqual({ stdout: '{"a":1}\n{"b":2}\n{"c":3}\n', stderr: '', exitCode: 0 });
    });

    test('are all translated, and explain says which one it shows', async () => {
      const script = 'select 1 as a; select 2 as b';
      expect((await home.run(['translate', script])).stdout).toBe('SELECT toInt64(1) AS a;\n\nSELECT toInt64(2) AS b;\n');
      expect(JSON.parse((await home.run(['translate', script, '--json'])).stdout)).toMatchObject([
        { columns: [{ name: 'a' }] },
        { columns: [{ name: 'b' }] },
      ]);
      home.write('two.sql', script);
      expect(await home.run(['explain', 'two.sql'])).toMatchObject({
        stdout: 'SELECT toInt64(2) AS b\n',
        stderr: expect.stringContaining('two has 2 queries, and this is the last'),
      });
    });

    test('a table that only the text of EXECUTE IMMEDIATE names is read', async () => {
      const { stdout } = await query(
        'declare t string default "data/orders.csv"; execute immediate format("select sum(total) as s from `%s`", t)',
      );
      expect(stdout).toBe('{"s":12.5}\n');
    });
  });

  test('reads SQL from standard input, and so does quern run -', async () => {
    expect((await home.run(['query'], { stdin: 'select 1 as a' })).stdout).toBe('{"a":1}\n');
    expect((await home.run(['query', '-'], { stdin: 'select 1 as a' })).stdout).toBe('{"a":1}\n');
    expect((await home.run(['run', '-', '-p', 'n:INT64:2'], { stdin: 'declare x int64 default 3; select x + @n as a' })).stdout).toBe(
      '{"a":5}\n',
    );
    const header = '/*---\nid: 51a3e2de-50b4-4d0c-8f4e-1a6c6f1f7b21\nparams: { n: { type: integer } }\n---*/\nselect @n as a';
    expect((await home.run(['run', '-', '--n', '4'], { stdin: header })).stdout).toBe('{"a":4}\n');
  });

  test('takes parameters as bq has them', async () => {
    const { stdout } = await query(
      'select @n as n, @s as s, @t as t, @d as d, @l as l, @e as e, @z is null as z',
      ...[
        'n:INT64:5',
        's::a:b',
        't:timestamp:2026-01-02 03:04:05',
        'd:DATE:2026-01-31',
        'l:ARRAY<STRING>:["a", "b"]',
        'e:STRING:',
        'z:FLOAT64:NULL',
      ].flatMap((one) => ['-p', one]),
    );
    expect(stdout).toBe('{"n":5,"s":"a:b","t":"2026-01-02T03:04:05Z","d":"2026-01-31","l":["a","b"],"e":"","z":true}\n');
  });

  test.each([
    ['NUMERIC:1234567890.123456789', '1234567890.123456789'],
    ['BIGNUMERIC:0.12345678901234567890123456789012345678', '0.12345678901234567890123456789012345678'],
    ['DATETIME:2026-01-02 03:04:05', '"2026-01-02T03:04:05"'],
    ['TIME:03:04:05.5', '"03:04:05.500000"'],
    ['BYTES:/wA=', '"/wA="'],
    ['JSON:{"a":1.5,"b":[1,null]}', '{"a":1.5,"b":[1,null]}'],
    ['NUMERIC:NULL', 'null'],
    ['ARRAY<NUMERIC>:[1.10, 12345678901234567890.123456789]', '[1.1,12345678901234567890.123456789]'],
    ['ARRAY<INT64>:[9007199254740993, -1]', '[9007199254740993,-1]'],
    ['ARRAY<DATETIME>:[]', '[]'],
    [
      'STRUCT<x INT64, y STRING, z ARRAY<DATE>>:{"y":"it\'s \\"1\\"","x":9007199254740993,"z":["2026-01-02"]}',
      '{"x":9007199254740993,"y":"it\'s \\"1\\"","z":["2026-01-02"]}',
    ],
    ['STRUCT<x INT64, s STRUCT<t TIME, `b` BYTES>>:{"x":1}', '{"x":1,"s":null}'],
    ['STRUCT<x INT64, s STRUCT<t TIME, b>>:{"x":1}', null],
    ['STRUCT<x INT64, s STRUCT<t TIME, b BYTES>>:{"s":{"t":"01:02:03"}}', '{"x":null,"s":{"t":"01:02:03","b":null}}'],
    ['ARRAY<STRUCT<k STRING, v FLOAT64>>:[{"k":"a","v":1.5},{"k":"b"}]', '[{"k":"a","v":1.5},{"k":"b","v":null}]'],
  ])('-p v:%s', async (given, shown) => {
    const { stdout, stderr } = await query('select @v as v', '-p', `v:${given}`);
    if (shown === null) expect(stderr).toContain('are not supported');
    else expect([stderr, stdout]).toEqual(['', `{"v":${shown}}\n`]);
  });

  test('what is wrong with a value is told of the parameter as the SQL has it', async () => {
    const { stderr, exitCode } = await query('select mod(7, @n) as v', '-p', 'n:INT64:0');
    expect([exitCode, stderr]).toEqual([2, 'error[parameter]: @n: 0: division by zero\n']);
    const several = await query('select @n + @m as v', '-p', 'n:INT64:x', '-p', 'm:INT64:y');
    expect([several.exitCode, several.stderr]).toEqual([
      2,
      'error[parameter]: @n: "x" is not a 64-bit integer\n   = note: @m: "y" is not a 64-bit integer\n',
    ]);
  });

  test('values of such types are of their types', async () => {
    const flags = ['-p', 's:STRUCT<lo NUMERIC, hi NUMERIC>:{"lo":1,"hi":5.6}', '-p', 'ids:ARRAY<STRUCT<id INT64>>:[{"id":2},{"id":3}]'];
    const sql =
      'select id from `data/orders.csv` where cast(total as numeric) between @s.lo and @s.hi or id in (select x.id from unnest(@ids) as x) order by id';
    expect((await query(sql, ...flags)).stdout).toBe('{"id":1}\n{"id":2}\n');
    const { stderr, exitCode } = await query('select 1 + @n as a', '-p', 'n:NUMERIC:abc');
    expect([exitCode, stderr]).toEqual([
      2,
      'error[parameter]: @n: "abc" is not a number of up to 29 digits before the point and 9 behind it\n',
    ]);
  });

  test.each([
    ['select 1', ':INT64:5', 'usage', 'the SQL has no parameter 1'],
    ['select ?', 'n:INT64:5', 'usage', 'the SQL has no parameter @n'],
    ['select ?, ?', ':INT64:5', 'parameter', 'parameter 2 has no value'],
    ['select @quern_now', 'quern_now:INT64:5', 'parameter', 'the parameter quern_now is reserved for the time of CURRENT_TIMESTAMP()'],
    ['select ?, @n', ':INT64:5', 'parameter', 'the SQL has ? and @n'],
    ['select ?', ':INT64:x', 'parameter', 'parameter 1: "x" is not a 64-bit integer'],
    ['select @n', 'n:INT64', 'usage', 'is not name:type:value'],
    ['select @n', 'n:GEOGRAPHY:POINT(1 2)', 'usage', 'parameters of type GEOGRAPHY are not supported'],
    ['select @n', 'n:STRUCT<INT64>:{}', 'usage', '{} is not a JSON list with the fields of STRUCT<INT64>'],
    ['select @n', 'n:ARRAY<ARRAY<INT64>>:[]', 'usage', 'parameters of type ARRAY<ARRAY<INT64>> are not supported'],
    ['select @n', 'n:STRUCT<a INT64>:{"a":"x"}', 'usage', 'a: "x" is not a 64-bit integer'],
    ['select @n', 'n:STRUCT<a INT64>:{"b":1}', 'usage', 'the type STRUCT<a INT64> has no field b'],
    ['select @n', 'n:STRUCT<a INT64>:{a:1}', 'usage', '"{a:1}" is not JSON; give a JSON object with the fields of STRUCT<a INT64>'],
    ['select @n', 'n:ARRAY<STRUCT<a INT64>>:[1]', 'usage', '[0]: 1 is not a JSON object with the fields of STRUCT<a INT64>'],
    ['select 1', 'n:INT64:5', 'usage', 'the SQL has no parameter @n'],
    ['select @n, @m', 'n:INT64:5', 'parameter', '@m has no value'],
    ['select @n', 'n:INT64:x', 'parameter', '"x" is not a 64-bit integer'],
  ])('%s with -p %s is refused', async (sql, parameter, code, told) => {
    const { stderr, exitCode } = await query(sql, '-p', parameter);
    expect([exitCode, stderr.startsWith(`error[${code}]`)]).toEqual([2, true]);
    expect(stderr).toContain(told);
  });

  test('shows where the SQL is wrong', async () => {
    const { stderr, exitCode } = await query('select uper("a")');
    expect([exitCode, stderr]).toEqual([
      2,
      'error[unknown-function]: uper is not a function quern can translate\n  --> <query>:1:8\n   |\n 1 | select uper("a")\n   |        ^^^^\n   = hint: did you mean UPPER(value)?\n',
    ]);
  });

  test('reads a file whose path stands in FROM, from the working directory', async () => {
    expect((await query('select sum(total) as n from `data/orders.csv`')).stdout).toBe('{"n":12.5}\n');
    expect(
      (await query(`select id from \`${join(home.folder, 'data')}/*.csv\` where total > @least`, '-p', 'least:FLOAT64:6')).stdout,
    ).toBe('{"id":2}\n');
    home.write('quern.yaml', 'sources:\n  t: { table: t }\n');
    const missing = await query('select * from `data/nope.csv`');
    expect([missing.exitCode, missing.stderr]).toEqual([
      2,
      `error[config]: data/nope.csv: there is no file ${home.folder}/data/nope.csv\n   = hint: relative paths start in ${home.folder}\n`,
    ]);
    rmSync(join(home.folder, 'quern.yaml'));
    const odd = await query('select * from `data/orders.xls`');
    expect([odd.exitCode, odd.stderr]).toEqual([
      2,
      'error[usage]: data/orders.xls: its extension is not a known format\n   = hint: files in FROM end in .parquet, .csv, .tsv, .ndjson, .json, .arrow, .orc or .avro, perhaps compressed; for others, declare a source with format: in quern.yaml\n',
    ]);
  });

  test('which a saved query may not', async () => {
    home.write('peek.sql', 'select * from `data/orders.csv`');
    expect((await home.run(['run', './peek.sql'])).stderr).toContain('error[unknown-source]');
  });

  test('keeps no result unless it is told to', async () => {
    expect((await query('select 3 as a', '--stats')).stderr).toContain('cache       off');
    await query('select 3 as a', '--cache', '5m');
    expect((await query('select 3 as a', '--cache', '5m', '--stats')).stderr).toMatch(/cache {7}hit/);
    expect((await query('select 3 as a', '--cache', 'soon')).stderr).toContain('--cache "soon" is not a duration');
  });

  const many = 'select x from unnest(generate_array(1, 1500)) as x order by x';
  const lines = (text: string) => text.split('\n').length - 1;
  test.each(['rows.csv', 'rows.json', 'rows.parquet', 'rows.md'])('writes all rows into %s', async (file) => {
    expect(await query(many, '--output', file)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    const count = file === 'rows.parquet' ? (await query(`select count(*) as n from \`${file}\``, '--scalar')).stdout : undefined;
    const text = readFileSync(join(home.folder, file), 'utf8');
    expect(count ?? lines(text)).toBe({ 'rows.csv': 1501, 'rows.json': 1502, 'rows.parquet': '1500\n', 'rows.md': 1502 }[file]);
  });

  test.each([
    ['a pipe', 1500, ['query', many], {}],
    ['SQL of standard input', 1500, ['run', '-'], { stdin: many }],
    ['a shell', 1500, ['shell'], { stdin: `${many};` }],
    ['a number that is enough', 1500, ['query', many, '--max-rows', '1500'], {}],
    ['a terminal that is given all', 1500, ['query', many, '--max-rows', 'all', '--format', 'tsv'], { terminal: 80 }],
    ['a terminal', 1000, ['query', many, '--format', 'tsv'], { terminal: 80 }],
  ])('%s has %i rows', async (_, rows, argv, options) => {
    const { stdout, stderr, exitCode } = await home.run(argv, options);
    expect([lines(stdout.replace('x\n', '')), exitCode]).toEqual([rows, 0]);
    expect(stderr.split('\n')[0]).toMatch(
      rows === 1000 ? /^note: only the first 1000 rows; --max-rows all shows all of them$/ : /^$|^1500 rows/,
    );
  });

  test('ends with 1 where a file or a pipe is cut, in every way', async () => {
    const cut = (what: string) => `error[result]: ${what} has only the first 3 rows: --max-rows 3
   = hint: pass --max-rows all for all rows; to choose a few of them, write LIMIT in the SQL
`;
    expect(await query(many, '--max-rows', '3')).toEqual({
      stdout: '{"x":1}\n{"x":2}\n{"x":3}\n',
      stderr: cut('standard output'),
      exitCode: 1,
    });
    for (const file of ['few.csv', 'few.json', 'few.parquet'])
      expect(await query(many, '--max-rows', '3', '--output', file)).toEqual({ stdout: '', stderr: cut(file), exitCode: 1 });
    const headed = await query(`/*---\nid: 4c020000-0000-4000-8000-000000000001\nmax_rows: 2\n---*/\n${many}`);
    expect([lines(headed.stdout), headed.stderr, headed.exitCode]).toEqual([
      2,
      'error[result]: standard output has only the first 2 rows: the query has max_rows: 2\n   = hint: raise max_rows in the header of the query\n',
      1,
    ]);
  });

  test('has the instant of --as-of', async () => {
    expect((await query('select current_date() as d', '--as-of', '2026-01-15T12:00:00Z')).stdout).toBe('{"d":"2026-01-15"}\n');
  });
});

test('the last SQL is remembered also where there was no folder for it', async () => {
  const cache = join(home.folder, 'nowhere', 'yet', 'cache');
  const folder = ['--queries', join(home.folder, 'queries'), '--cache-dir', cache];
  home.write('queries/.keep', '');
  await home.run(['query', 'select 7 as seven', '--cache-dir', cache]);
  expect((await home.run(['new', 'seven', '--from-last', ...folder])).exitCode).toBe(0);
  expect((await home.run(['run', 'seven', ...folder])).stdout).toBe('{"seven":7}\n');
});

test('quern new --from-last keeps parameters of every type', async () => {
  const folder = ['--queries', join(home.folder, 'queries')];
  const sql = "select format('%T %T %T %T %T', @n, @b, @l, @s, @t) as v";
  const given = [
    'n:NUMERIC:1.50',
    'b:BYTES:aGk=',
    'l:ARRAY<TIME>:01:02:03, 04:05:06',
    's:STRUCT<a INT64, b STRING>:{"a":1,"b":"x"}',
    't:DATE:',
  ];
  const { stdout } = await query(sql, ...given.flatMap((one) => ['-p', one]));
  expect((await home.run(['new', 'other', '--from-last', ...folder])).exitCode).toBe(0);
  expect((await home.run(['run', 'other', ...folder])).stdout).toBe(stdout);
  expect((await home.run(['run', 'other', '--n', '2', '--s', '{"a": 2, "b": null}', ...folder])).stdout).toBe(
    '{"v":"NUMERIC \\"2\\" b\\"hi\\" [TIME \\"01:02:03\\", TIME \\"04:05:06\\"] (2, NULL) NULL"}\n',
  );
});

test('positional parameters take the values in their order', async () => {
  const flags = ['-p', ':INT64:1', '-p', '::x', '-p', ':ARRAY<STRUCT<a INT64>>:[{"a":2}]'];
  const { stdout } = await query("select ? as a, ? as b, '?' as c, (select sum(e.a) from unnest(?) as e) as d -- ?", ...flags);
  expect(stdout).toBe('{"a":1,"b":"x","c":"?","d":2}\n');
});

test('quern new --from-last makes a saved query of the last SQL', async () => {
  const folder = ['--queries', join(home.folder, 'queries')];
  home.write('queries/.keep', '');
  await query('select @n + 1 as a, @s as s, @l as l', '-p', 'n:INT64:5', '-p', "s::it's */", '-p', 'l:ARRAY<INT64>:[1,2]');
  expect((await home.run(['new', 'kept', '--from-last', '--description', 'One more', ...folder])).exitCode).toBe(0);
  expect(readFileSync(join(home.folder, 'queries/kept.sql'), 'utf8')).toBe(
    '/*---\ndescription: One more\nmax_rows: 1000\ncache: disabled\nparams:\n  n: { type: integer, default: 5 }\n  s: { type: string, default: "it\'s *\\/" }\n  l: { type: array of integer, default: [1,2] }\n---*/\nselect @n + 1 as a, @s as s, @l as l\n',
  );
  expect((await home.run(['run', 'kept', ...folder])).stdout).toBe('{"a":6,"s":"it\'s */","l":[1,2]}\n');
  expect((await home.run(['run', 'kept', '--n', '1', ...folder])).stdout).toContain('{"a":2,');
});
