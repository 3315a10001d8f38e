// `quern lsp` in Neovim, as the page about editors says to set it up. What is answered in which case, lsp.test.ts tests; here an editor that is
// not ours shows it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInNeovim, Neovim } from './neovim-support.ts';

const SAVED = `/*---
id: 7d6f2f4e-9a34-4e0a-8b7e-0f6f5a3b1c01
description: paths by use
params:
  project: { type: string, default: demo }
---*/
select project, 'a' as path, 7 as uses
from unnest([@project]) as project
`;
const DRAFT = `with busy as (select path, uses from paths)
select contif(uses > 1) as n
from busy
`;
const MESSAGES = 'luaeval("vim.tbl_map(function(d) return { d.lnum + 1, d.col + 1, d.severity, d.message } end, vim.diagnostic.get(0))")';
/** Texts of the windows that float above the others. */
const FLOATING =
  'map(filter(nvim_list_wins(), { _, w -> nvim_win_get_config(w).relative != "" }), { _, w -> join(nvim_buf_get_lines(nvim_win_get_buf(w), 0, -1, 0), "\\n") })';
const TEXT = 'join(getline(1, "$"), "\\n")';
const none = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const some = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

describeInNeovim('in Neovim', () => {
  let nvim: Neovim;
  beforeAll(async () => {
    nvim = new Neovim({ 'quern.yaml': 'queries: queries\n', 'queries/paths.sql': SAVED, 'draft.sql': DRAFT });
    await nvim.until('1', (value) => value === 1);
  });
  afterAll(() => nvim.close());

  test('errors are shown in a text without a header, and gone once what was meant is chosen', async () => {
    await nvim.edit('draft.sql');
    expect(await nvim.until(MESSAGES, some)).toEqual([
      [2, 8, 1, 'contif is not a function quern can translate\ndid you mean COUNTIF(condition)?'],
    ]);
    nvim.press('2G0w');
    nvim.lua('vim.lsp.buf.code_action()');
    expect(await nvim.until('getline(2)', (line) => line !== 'select contif(uses > 1) as n')).toBe('select countif(uses > 1) as n');
    expect(await nvim.until(MESSAGES, none)).toEqual([]);
  });

  test('and in a saved query, in its header too', async () => {
    await nvim.edit('queries/paths.sql');
    nvim.press('Gofrom<Esc>');
    expect(await nvim.until(MESSAGES, some)).toMatchObject([[9, 1, 1, expect.stringMatching(/FROM/i)]]);
    nvim.press('ddgg3Gomax_row: 4<Esc>');
    expect(await nvim.until(MESSAGES, (value) => some(value) && !JSON.stringify(value).includes('FROM'))).toMatchObject([
      [4, 1, 1, expect.stringMatching(/max_row.*/)],
    ]);
  });

  test('names are completed while one types', async () => {
    await nvim.edit('draft.sql');
    nvim.press('Gowhere us<C-x><C-o>');
    expect(await nvim.until('getline(".")', (line) => line === 'where uses')).toBe('where uses');
    nvim.press('<Esc>ccwhere safe_<C-x><C-o>');
    const words = await nvim.until('map(complete_info(["items"]).items, { _, item -> item.word })', some);
    expect(words).toEqual(expect.arrayContaining(['safe_divide(', 'safe_cast(']));
  });

  test('types and tables are told', async () => {
    await nvim.edit('draft.sql');
    nvim.press('1G$h');
    nvim.lua('vim.lsp.buf.hover()');
    const told = String(await nvim.until(FLOATING, some));
    expect(told).toMatch(/saved query paths/);
    expect(told).toMatch(/uses INT64/);
  });

  test('a name leads to where it comes from: a WITH table, a saved query, a parameter', async () => {
    const place = 'expand("%:t") . " " . line(".") . ":" . col(".")';
    const defined = async (name: string, keys: string): Promise<unknown> => {
      await nvim.edit(name);
      nvim.press(keys);
      const before = nvim.value(place);
      nvim.lua('vim.lsp.buf.definition()');
      return nvim.until(place, (value) => value !== before);
    };
    expect(await defined('draft.sql', '3G$')).toBe('draft.sql 1:6');
    expect(await defined('draft.sql', '1G$h')).toBe('paths.sql 7:1');
    expect(await defined('queries/paths.sql', '8Gf@')).toBe('paths.sql 5:3');
  });

  test('a parameter gets another name in the header and in the SQL', async () => {
    await nvim.edit('queries/paths.sql');
    nvim.press('8Gf@');
    nvim.lua('vim.lsp.buf.rename("tenant")');
    const renamed = SAVED.replace('  project:', '  tenant:').replace('@project', '@tenant').trimEnd();
    expect(await nvim.until(TEXT, (text) => text === renamed)).toBe(renamed);
  });

  test('a text is laid out', async () => {
    await nvim.edit('draft.sql');
    nvim.press('2Gccselect   countif(uses > 1)as n<Esc>');
    nvim.lua('(vim.lsp.buf.format or vim.lsp.buf.formatting_sync)()');
    const laidOut = 'with busy as (select path, uses from paths)\nselect countif(uses > 1) as n\nfrom busy';
    expect(await nvim.until(TEXT, (text) => text === laidOut)).toBe(laidOut);
  });

  test('a saved query is run in a terminal', async () => {
    await nvim.edit('queries/paths.sql');
    nvim.press('7G0');
    nvim.lua('vim.lsp.codelens.refresh()');
    expect(await nvim.until('luaeval("vim.lsp.codelens.get(0)")', some)).toMatchObject([{ command: { title: 'run' } }]);
    nvim.lua('vim.lsp.codelens.run()');
    const rows = await nvim.until(TEXT, (text) => /demo/.test(String(text)), 30);
    expect(rows).toMatch(/project.*path.*uses[\s\S]*demo.*a.*7/);
  });
});
