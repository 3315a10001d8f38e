-- # staging
-- rows: [[0,0,"credit_card",0,"2026-01-01"],[1,1,"coupon",1,"2026-01-02"],[2,2,"credit_card",2,"2026-01-03"],[3,3,"coupon",3,"2026-01-04"],[4,4,"credit_card",4,"2026-01-05"],[5,0,"coupon",5,"2026-01-06"],[6,1,"credit_card",6,"2026-01-07"],[7,2,"coupon",7,"2026-01-08"],[8,3,"credit_card",8,"2026-01-09"],[9,4,"coupon",9,"2026-01-10"]]
with source as (select * from `my-proj`.`raw`.`payments`), renamed as (select id as payment_id, order_id, payment_method, amount / 100 as amount, created from source) select * from renamed order by payment_id
-- # pivoted payments
-- rows: [[0,0,500,500],[1,600,100,700],[2,200,700,900],[3,800,300,1100],[4,400,900,1300]]
with payments as (select * from `my-proj`.`raw`.`payments`), order_payments as (select order_id, sum(case when payment_method = 'credit_card' then amount else 0 end) as credit_card_amount, sum(case when payment_method = 'coupon' then amount else 0 end) as coupon_amount, sum(amount) as total_amount from payments group by order_id) select * from order_payments order by order_id
-- # customers
-- rows: [[0,"2026-01-01",3,1600],[1,"2026-01-02",3,2000],[2,"2026-01-03",2,900]]
with orders as (select * from `my-proj`.`raw`.`orders`), payments as (select * from `my-proj`.`raw`.`payments`), customer_orders as (select customer_id, min(order_date) as first_order, max(order_date) as most_recent_order, count(id) as number_of_orders from orders group by customer_id), customer_payments as (select orders.customer_id, sum(amount) as total_amount from payments left join orders on payments.order_id = orders.id group by orders.customer_id) select c.customer_id, first_order, number_of_orders, total_amount as customer_lifetime_value from customer_orders as c left join customer_payments using (customer_id) order by 1
-- # surrogate keys
-- rows: [["055db9bb597d7fcdb6bdc00fe5c4cfb8",600],["0b98a97488d4a699d1cfcc854b7f5b6d",200],["115b55ee70b0d3b34bd8861e907c74a1",500],["351739b78be9a6b4b0a6af9f7190525a",0],["48118b4c3debc93e2905866eb8b268e1",800],["613375e4da32b74d16edfd0bd0ac24b3",300],["6522f106d8a4579642d633d25d93a6fa",400],["ba7555f66b6c7c37bffda62b656ca0fc",900],["d60646b909f88fe53bb7ff57436ed67b",100],["f87ca8e9d2379805c3b648cb7768cd88",700]]
select to_hex(md5(cast(coalesce(cast(order_id as string), '_null_') || '-' || coalesce(cast(payment_method as string), '_null_') as string))) as payment_key, amount from `my-proj`.`raw`.`payments` order by 1
-- # date spine
-- rows: [["2026-01-01T00:00:00"],["2026-01-02T00:00:00"],["2026-01-03T00:00:00"],["2026-01-04T00:00:00"],["2026-01-05T00:00:00"]]
with rawdata as (with p as (select 0 as generated_number union all select 1) select p0.generated_number * power(2, 0) + p1.generated_number * power(2, 1) + p2.generated_number * power(2, 2) + 1 as generated_number from p as p0 cross join p as p1 cross join p as p2), all_periods as (select datetime_add(cast('2026-01-01' as datetime), interval cast(generated_number as int64) - 1 day) as date_day from rawdata) select * from all_periods where date_day <= cast('2026-01-05' as datetime) order by 1
-- # unique test
-- rows: []
with dbt_test__target as (select id as unique_field from `my-proj`.`raw`.`orders` where id is not null) select unique_field, count(*) as n_records from dbt_test__target group by unique_field having count(*) > 1
-- # accepted values test
-- rows: []
with all_values as (select status as value_field, count(*) as n_records from `my-proj`.`raw`.`orders` group by status) select * from all_values where value_field not in ('placed', 'shipped', 'completed')
-- # relationships test
-- rows: []
with child as (select customer_id as from_field from `my-proj`.`raw`.`orders` where customer_id is not null), parent as (select id as to_field from `my-proj`.`raw`.`customers`) select from_field from child left join parent on child.from_field = parent.to_field where parent.to_field is null
-- # counted failures
-- rows: [[0,false,false]]
select count(*) as failures, count(*) != 0 as should_warn, count(*) != 0 as should_error from (select id from `my-proj`.`raw`.`orders` where id is null) dbt_internal_test
-- # incremental part
-- rows: [[6,0,"2026-01-07","placed","2026-01-07T00:00:00Z",1],[7,1,"2026-01-08","shipped","2026-01-08T00:00:00Z",1]]
select *, row_number() over (partition by id order by updated_at desc) as rn from `my-proj`.`raw`.`orders` where updated_at > (select coalesce(max(updated_at), timestamp('1900-01-01')) from `my-proj`.`raw`.`orders` where status = 'completed') order by id
-- # deduplicated
-- rows: [[0,0,"2026-01-01","placed","2026-01-01T00:00:00Z"],[1,1,"2026-01-02","shipped","2026-01-02T00:00:00Z"],[2,2,"2026-01-03","completed","2026-01-03T00:00:00Z"],[3,0,"2026-01-04","placed","2026-01-04T00:00:00Z"],[4,1,"2026-01-05","shipped","2026-01-05T00:00:00Z"],[5,2,"2026-01-06","completed","2026-01-06T00:00:00Z"],[6,0,"2026-01-07","placed","2026-01-07T00:00:00Z"],[7,1,"2026-01-08","shipped","2026-01-08T00:00:00Z"]]
select unique.* from (select array_agg(original order by updated_at desc limit 1)[offset(0)] unique from `my-proj`.`raw`.`orders` original group by id) order by id
-- # union of relations
-- rows: [["raw.customers",0,null],["raw.customers",1,null],["raw.customers",2,null],["raw.orders",0,"placed"],["raw.orders",1,"shipped"],["raw.orders",2,"completed"],["raw.orders",3,"placed"],["raw.orders",4,"shipped"],["raw.orders",5,"completed"],["raw.orders",6,"placed"],["raw.orders",7,"shipped"]]
(select cast('raw.orders' as string) as _dbt_source_relation, cast(id as int64) as id, cast(status as string) as status from `my-proj`.`raw`.`orders`) union all (select cast('raw.customers' as string) as _dbt_source_relation, cast(id as int64) as id, cast(null as string) as status from `my-proj`.`raw`.`customers`) order by 1, 2
-- # snapshots
select id, status, updated_at as dbt_valid_from, nullif(lead(updated_at) over (partition by id order by updated_at), updated_at) as dbt_valid_to, to_hex(md5(concat(coalesce(cast(id as string), ''), '|', coalesce(cast(updated_at as string), '')))) as dbt_scd_id from `my-proj`.`raw`.`orders` order by id
-- # rolling metric
-- rows: [["2026-01-01",1],["2026-01-02",2],["2026-01-03",3],["2026-01-04",4],["2026-01-05",5],["2026-01-06",6],["2026-01-07",7],["2026-01-08",7]]
select order_date, sum(count(*)) over (order by order_date rows between 6 preceding and current row) as orders_7d from `my-proj`.`raw`.`orders` group by order_date order by order_date
