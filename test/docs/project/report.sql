select count(*) as n from edge_logs where timestamp >= @since and identifier in unnest(array(select cast(i as string) from unnest(@ids) as i))
