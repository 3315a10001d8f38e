select count(*) as n from edge_logs where project = @project
