// Ways to make a text as long as asked for out of one construct of the grammar.

/** A text of about `size` characters. */
export type Shape = (size: number) => string;

/** `unit` as often as fits between `before` and `after`. */
export const filled =
  (before: string, unit: string | ((i: number) => string), after = '', by = ''): Shape =>
  (size) => {
    const units: string[] = [];
    for (let left = size - before.length - after.length, i = 0; ; i++) {
      const text = typeof unit === 'string' ? unit : unit(i);
      left -= text.length + by.length;
      if (left < 0) break;
      units.push(text);
    }
    return before + units.join(by) + after;
  };

/** `open` and `close` as often as fits around `core`. */
export const nested =
  (before: string, open: string, core: string, close: string, after = ''): Shape =>
  (size) => {
    const times = Math.floor((size - before.length - core.length - after.length) / (open.length + close.length));
    return before + open.repeat(times) + core + close.repeat(times) + after;
  };

export const pipes = (unit: string | ((i: number) => string), from = 'from numbers'): Shape => filled(`${from} `, unit, '', ' ');
export const items = (unit: string | ((i: number) => string), from = ' from numbers'): Shape => filled('select ', unit, from, ', ');
export const conditions = (unit: string | ((i: number) => string), by: string): Shape =>
  filled('select n from numbers where ', unit, '', ` ${by} `);
export const inside = (open: string, close: string, core = 'n', from = ' from numbers'): Shape =>
  nested('select ', open, core, close, ` as v${from}`);
/** WITH tables c0, c1, …, each made of the one before. */
export const chain = (first: string, link: (before: string, i: number) => string, last = 'select * from'): Shape =>
  filled(`with c0 as (${first})`, (i) => `, c${i + 1} as (${link(`c${i}`, i)})`, `${' '.repeat(8)}${last} c0`);

/** A WITH table for each link, made of the one before, and a query of the last. */
export const linked =
  (width: number, link: (before: string) => string, last = (name: string) => `select * from ${name}`): Shape =>
  (size) => {
    const count = Math.floor(size / width);
    const tables = list(count, (i) => `c${i + 1} as (${link(`c${i}`)})`);
    return `with c0 as (select n from numbers), ${tables} ${last(`c${count}`)}`;
  };

export const list = (count: number, item: (i: number) => string, by = ', '): string =>
  Array.from({ length: count }, (_, i) => item(i)).join(by);
