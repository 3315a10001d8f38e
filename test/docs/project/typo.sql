/*---
id: 5f0c2f0e-6d3a-4c43-9a53-0d6c4d0f7a41
---*/
select regexp_contain(event_message, 'GET') from edge_logs
