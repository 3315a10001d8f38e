select 1 as one, 2 as two
