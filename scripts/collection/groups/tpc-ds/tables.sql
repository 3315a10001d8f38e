CREATE DATABASE tpcds;
CREATE TABLE tpcds.date_dim (d_date_sk Int64, d_date Date32, d_year Int64, d_moy Int64, d_week_seq Int64, d_day_name String) ENGINE = MergeTree ORDER BY d_date_sk;
INSERT INTO tpcds.date_dim SELECT number, toDate('2026-01-01') + number, toYear(toDate('2026-01-01') + number), toMonth(toDate('2026-01-01') + number), intDiv(number, 7), ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday'][number % 7 + 1] FROM numbers(90);
CREATE TABLE tpcds.item (i_item_sk Int64, i_item_id String, i_brand_id Int64, i_brand String, i_class String, i_manufact_id Int64) ENGINE = MergeTree ORDER BY i_item_sk;
INSERT INTO tpcds.item SELECT number, concat('I', toString(number)), number % 3, concat('b', toString(number % 3)), concat('c', toString(number % 2)), number % 2 FROM numbers(10);
CREATE TABLE tpcds.store_sales (ss_sold_date_sk Nullable(Int64), ss_item_sk Int64, ss_customer_sk Nullable(Int64), ss_store_sk Nullable(Int64), ss_quantity Nullable(Int64), ss_list_price Nullable(Decimal(7, 2)), ss_ext_sales_price Nullable(Decimal(7, 2)), ss_net_paid Nullable(Decimal(7, 2))) ENGINE = MergeTree ORDER BY ss_item_sk;
INSERT INTO tpcds.store_sales SELECT number % 90, number % 10, number % 13, number % 3, number % 100, number + 0.5, number * 2, number FROM numbers(200);
