select 1 as one;
select count(*) as events
from edge_logs;
