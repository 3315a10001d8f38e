select timestamp_trunc(timestamp, hour) as hour, count(*) as n from requests group by hour order by hour
