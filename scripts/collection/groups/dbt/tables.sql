CREATE DATABASE raw;
CREATE TABLE raw.payments (id Int64, order_id Int64, payment_method String, amount Int64, created Date) ENGINE = MergeTree ORDER BY id;
INSERT INTO raw.payments SELECT number, number % 5, ['credit_card', 'coupon'][number % 2 + 1], 100 * number, toDate('2026-01-01') + number FROM numbers(10);
CREATE TABLE raw.orders (id Int64, customer_id Int64, order_date Date, status String, updated_at DateTime64(6, 'UTC')) ENGINE = MergeTree ORDER BY id;
INSERT INTO raw.orders SELECT number, number % 3, toDate('2026-01-01') + number, ['placed', 'shipped', 'completed'][number % 3 + 1], toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + toIntervalDay(number) FROM numbers(8);
CREATE TABLE raw.customers (id Int64, first_name String) ENGINE = MergeTree ORDER BY id;
INSERT INTO raw.customers SELECT number, 'x' FROM numbers(3);
