select 1 as id, 20.5 as amount
union all select 2, 4.5
