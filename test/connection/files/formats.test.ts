// Files of every format and compression give the same rows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
const ENGINE: Readonly<Record<string, string>> = {
  parquet: 'Parquet',
  csv: 'CSVWithNames',
  tsv: 'TSVWithNames',
  ndjson: 'JSONEachRow',
  json: 'JSONEachRow',
  arrow: 'Arrow',
  orc: 'ORC',
  avro: 'Avro',
};
const FRAMED = ['parquet', 'arrow', 'orc', 'avro'];
const FILES = Object.keys(ENGINE).flatMap((format) =>
  FRAMED.includes(format) ? [format] : ['', '.gz', '.zst', '.zstd', '.xz'].map((end) => format + end),
);
const ROWS = `SELECT number AS id, if(number = 2, NULL, concat('n', toString(number))) AS name, number / 4 AS part, (number = 1)::Bool AS yes FROM numbers(1, 3) ORDER BY id`;

beforeAll(async () => {
  for (const ending of FILES) await home.make(`data/f.${ending}`, ENGINE[ending.split('.')[0] ?? ''] ?? '', ROWS);
  const named = (ending: string) => ending.replace('.', '_');
  home.write('quern.yaml', `sources:\n${FILES.map((ending) => `  ${named(ending)}: { file: data/f.${ending} }\n`).join('')}`);
}, 60_000);

afterAll(() => home.remove());

test.each(FILES)('%s', async (ending) => {
  expect(
    await home.rows(`select id, name, part, cast(yes as string) as yes, _FILE_NAME as file from ${ending.replace('.', '_')} order by id`),
  ).toBe(
    [
      `{"id":1,"name":"n1","part":0.25,"yes":"true","file":"data/f.${ending}"}`,
      `{"id":2,"name":null,"part":0.5,"yes":"false","file":"data/f.${ending}"}`,
      `{"id":3,"name":"n3","part":0.75,"yes":"false","file":"data/f.${ending}"}\n`,
    ].join('\n'),
  );
});
