-- # brands by year
-- rows: [[2026,0,"b0","2992"],[2026,1,"b1","2928"],[2026,2,"b2","1480"]]
select d.d_year, i.i_brand_id as brand_id, i.i_brand as brand, sum(ss_ext_sales_price) as sum_agg from tpcds.date_dim d, tpcds.store_sales s, tpcds.item i where d.d_date_sk = s.ss_sold_date_sk and s.ss_item_sk = i.i_item_sk and i.i_manufact_id = 1 and d.d_moy = 1 group by d.d_year, i.i_brand, i.i_brand_id order by d.d_year, sum_agg desc, brand_id limit 100
-- # customers above the mean of their store
-- rows: []
with customer_total_return as (select ss_customer_sk as customer, ss_store_sk as store, sum(ss_net_paid) as total from tpcds.store_sales group by 1, 2) select c1.customer from customer_total_return c1 where c1.total > (select avg(total) * 1.2 from customer_total_return c2 where c1.store = c2.store) order by c1.customer limit 100
-- # averages by rollup
select i.i_brand, s.ss_store_sk, grouping(s.ss_store_sk) as g, avg(ss_quantity) as agg1, avg(ss_list_price) as agg2 from tpcds.store_sales s join tpcds.item i on s.ss_item_sk = i.i_item_sk group by rollup (i.i_brand, s.ss_store_sk) order by 1, 2, 3
-- # share of the class
-- rows: [["c0","I0","3800","19.191919192"],["c0","I2","3880","19.595959596"],["c0","I4","3960","20"],["c0","I6","4040","20.404040404"],["c0","I8","4120","20.808080808"],["c1","I1","3840","19.2"],["c1","I3","3920","19.6"],["c1","I5","4000","20"],["c1","I7","4080","20.4"],["c1","I9","4160","20.8"]]
select i.i_class, i.i_item_id, sum(ss_ext_sales_price) as itemrevenue, sum(ss_ext_sales_price) * 100 / sum(sum(ss_ext_sales_price)) over (partition by i.i_class) as revenueratio from tpcds.store_sales s, tpcds.item i where s.ss_item_sk = i.i_item_sk group by i.i_class, i.i_item_id order by 1, 2
-- # buckets by subqueries
-- rows: [["61"]]
select case when (select count(*) from tpcds.store_sales where ss_quantity between 1 and 20) > 5 then (select avg(ss_list_price) from tpcds.store_sales where ss_quantity between 1 and 20) else (select avg(ss_net_paid) from tpcds.store_sales where ss_quantity between 1 and 20) end as bucket1
-- # intersect
-- rows: [[23]]
select count(*) as n from (select distinct ss_customer_sk, ss_item_sk from tpcds.store_sales where ss_store_sk = 1 intersect distinct select distinct ss_customer_sk, ss_item_sk from tpcds.store_sales where ss_store_sk = 2)
-- # except
-- rows: [[0]]
select count(*) as n from (select distinct ss_customer_sk from tpcds.store_sales except distinct select distinct ss_customer_sk from tpcds.store_sales where ss_quantity > 50)
-- # exists
-- rows: [["I0"],["I1"],["I2"],["I3"],["I4"],["I5"]]
select i.i_item_id from tpcds.item i where exists (select * from tpcds.store_sales s, tpcds.date_dim d where i.i_item_sk = s.ss_item_sk and s.ss_sold_date_sk = d.d_date_sk and d.d_year = 2026) and not exists (select 1 from tpcds.store_sales s where s.ss_item_sk = i.i_item_sk and s.ss_quantity > 95) order by 1
-- # deviations
-- rows: [["b0",1,"3094","2653.333333333"],["b0",2,"1790","2653.333333333"],["b0",3,"3076","2653.333333333"],["b1",1,"2196","1980"],["b1",2,"1602","1980"],["b2",1,"2220","2000"],["b2",2,"1620","2000"]]
select * from (select i.i_brand, d.d_moy, sum(ss_net_paid) as sum_sales, avg(sum(ss_net_paid)) over (partition by i.i_brand) as avg_monthly from tpcds.item i, tpcds.store_sales s, tpcds.date_dim d where s.ss_item_sk = i.i_item_sk and s.ss_sold_date_sk = d.d_date_sk group by i.i_brand, d.d_moy) where case when avg_monthly <> 0 then abs(sum_sales - avg_monthly) / avg_monthly else null end > 0.1 order by 1, 2
-- # weeks by day
-- rows: [[0,"279","282"],[1,"300","303"],[2,"321","324"],[3,"138","140"],[4,"152","154"],[5,"166","168"],[6,"180","182"],[7,"194","196"],[8,"208","210"],[9,"222","224"],[10,"236","238"],[11,"250","252"],[12,"264","266"]]
select d.d_week_seq, sum(case when d.d_day_name = 'Sunday' then ss_net_paid else null end) as sun_sales, sum(case when d.d_day_name = 'Monday' then ss_net_paid else null end) as mon_sales from tpcds.store_sales s join tpcds.date_dim d on d.d_date_sk = s.ss_sold_date_sk group by 1 order by 1
-- # rank of ranks
-- rows: [[1,"I0","I9"],[2,"I1","I8"],[3,"I2","I7"],[4,"I3","I6"],[5,"I4","I5"],[6,"I5","I4"],[7,"I6","I3"],[8,"I7","I2"],[9,"I8","I1"],[10,"I9","I0"]]
select rnk, best.i_item_id as best, worst.i_item_id as worst from (select ss_item_sk as item, rank() over (order by avg(ss_net_paid) asc, ss_item_sk) as rnk from tpcds.store_sales group by 1) a join (select ss_item_sk as item, rank() over (order by avg(ss_net_paid) desc, ss_item_sk) as rnk from tpcds.store_sales group by 1) b using (rnk) join tpcds.item best on best.i_item_sk = a.item join tpcds.item worst on worst.i_item_sk = b.item order by rnk limit 10
-- # dates around
-- rows: [["7240","5642"]]
select sum(case when cast(d.d_date as date) < cast('2026-02-01' as date) then ss_net_paid else 0 end) as before_it, sum(case when d.d_date >= date '2026-02-01' then ss_net_paid else 0 end) as after_it from tpcds.store_sales s, tpcds.date_dim d where s.ss_sold_date_sk = d.d_date_sk and d.d_date between date_sub(date '2026-02-01', interval 30 day) and date_add(date '2026-02-01', interval 30 day)
