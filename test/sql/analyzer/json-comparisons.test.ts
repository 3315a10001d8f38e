// BigQuery compares no values of type JSON, nor what holds such a value.
import { expect, test } from 'vitest';
import { refusal } from '../../support/query-rows.ts';

test.each([
  ["select json '1' = json '1'", 'type: values of type JSON are not compared'],
  ["select json '1' != json '1'", 'type: values of type JSON are not compared'],
  ["select json '1' in (json '1')", 'type: values of type JSON are not compared'],
  ["select json '1' in unnest([json '1'])", 'type: values of type JSON are not compared'],
  ["select json '1' is distinct from json '1'", 'type: values of type JSON are not compared'],
  ["select json '1' is not distinct from json '1'", 'type: values of type JSON are not compared'],
  ["select nullif(json '1', json '1')", 'type: values of type JSON are not compared'],
  ["select json '1' < json '2'", 'type: values of type JSON are not compared'],
  ["select json '1' between json '1' and json '2'", 'type: values of type JSON are not compared'],
  ["select case json '1' when json '1' then 1 end", 'type: values of type JSON are not compared'],
  ["select struct(json '1' as j) = struct(json '1' as j)", 'type: values of type JSON are not compared'],
  ["select [json '1'] = [json '1']", 'type: values of type JSON are not compared'],
  ["select count(distinct json '1')", 'type: DISTINCT can’t use values of type JSON'],
  ["select distinct struct(json '1' as j)", 'type: SELECT DISTINCT can’t use values that hold JSON'],
  ["select struct(json '1' as j) as s, count(*) group by s", 'type: GROUP BY can’t use values that hold JSON'],
  ["select id where json '1' in (select json '1')", 'type: values of type JSON are not compared'],
  ["select greatest(json '1', json '2')", 'type: values of type JSON are not compared'],
  ["select min(json '1')", 'type: values of type JSON have no order'],
  ["select array_agg(distinct json '1')", 'type: DISTINCT can’t use values of type JSON'],
  ["select row_number() over (partition by json '1')", 'type: PARTITION BY can’t use values of type JSON'],
  ["select row_number() over (order by json '1')", 'type: values of type JSON have no order'],
  ["select array_agg(1 order by json '1')", 'type: values of type JSON have no order'],
  ["select json '1' union distinct select json '1'", 'type: UNION DISTINCT can’t compare values of type JSON'],
])('%s', (sql, message) => {
  expect(refusal(sql)).toBe(message);
});
