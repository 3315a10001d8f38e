with orders as (select * from `my-proj`.`dbt`.`stg_orders`)
select sum(amount) as revenue from orders
