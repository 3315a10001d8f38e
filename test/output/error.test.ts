// Error pictures.
import { describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { renderError } from '../../src/output/error.ts';
import { errorBody } from '../../src/output/error-body.ts';

const plain = { colour: false, verbose: false };

/** An error at the text between « and ». */
function at(marked: string, details: { hint?: string; notes?: string[] } = {}): QuernError {
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  const text = marked.replace(/[«»]/g, '');
  return new QuernError('syntax', 'expected something else', { span: { start, end }, source: { name: 'queries/q.sql', text }, ...details });
}

describe('the picture of an error', () => {
  test('shows the place, the hint and the notes', () => {
    const error = at('select\n  «REGEXP_CONTAIN»(x)\nfrom y', { hint: 'did you mean REGEXP_CONTAINS?', notes: ['a note', 'two\nlines'] });
    expect(renderError(error, plain)).toMatchInlineSnapshot(`
      "error[syntax]: expected something else
        --> queries/q.sql:2:3
         |
       2 |   REGEXP_CONTAIN(x)
         |   ^^^^^^^^^^^^^^
         = note: a note
         = note: two
           lines
         = hint: did you mean REGEXP_CONTAINS?
      "
    `);
  });

  test('the caret stands under its text behind tabs and wide characters', () => {
    expect(renderError(at("\tselect '日本語', «x» from t"), plain)).toMatchInlineSnapshot(`
      "error[syntax]: expected something else
        --> queries/q.sql:1:16
         |
       1 |     select '日本語', x from t
         |                      ^
      "
    `);
  });

  test('the end of the text is a place too', () => {
    expect(renderError(at('select 1 from«»'), plain)).toMatchInlineSnapshot(`
      "error[syntax]: expected something else
        --> queries/q.sql:1:14
         |
       1 | select 1 from
         |              ^
      "
    `);
  });

  test('a place of several lines shows the first and the last', () => {
    expect(renderError(at('select «case\n  when a then b\n  else c\n  end» as x'), plain)).toMatchInlineSnapshot(`
      "error[syntax]: expected something else
        --> queries/q.sql:1:8
         |
       1 | select case
         |        ^^^^
         …
       4 |   end as x
         |   ^^^
      "
    `);
  });

  test('a long line is cut around the caret', () => {
    expect(renderError(at(`select ${'a, '.repeat(80)}«oops» ${', b'.repeat(80)}`), plain)).toMatchInlineSnapshot(`
      "error[syntax]: expected something else
        --> queries/q.sql:1:248
         |
       1 | … a, a, a, a, a, a, a, a, a, a, a, a, a, oops , b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, …
         |                                          ^^^^
      "
    `);
  });

  test('line numbers of three digits move the margin', () => {
    expect(renderError(at(`${'\n'.repeat(122)}«x»`), plain)).toMatchInlineSnapshot(`
      "error[syntax]: expected something else
         --> queries/q.sql:123:1
          |
      123 | x
          | ^
      "
    `);
  });

  test('problems are listed under each other, parameters as the flags they are', () => {
    const error = new QuernError('parameter', 'usage.api-counts needs 2 parameters, 1 is missing and 1 is invalid', {
      problems: [
        { kind: 'missing', name: 'project', message: 'project ref (string)' },
        { kind: 'invalid', name: 'interval', message: '"weekly" is not one of: minutely, hourly, daily' },
      ],
    });
    expect(renderError(error, plain)).toMatchInlineSnapshot(`
      "error[parameter]: usage.api-counts needs 2 parameters, 1 is missing and 1 is invalid
         = missing   --project   project ref (string)
         = invalid   --interval  "weekly" is not one of: minutely, hourly, daily
      "
    `);
  });

  test('text from outside cannot drive the terminal', () => {
    expect(renderError(new QuernError('usage', 'no \u001b[2J here'), plain)).toBe('error[usage]: no \\x1b[2J here\n');
  });

  test('--verbose adds what lies behind', () => {
    const cause = new Error('outer', { cause: 'inner' });
    cause.stack = 'Error: outer\n    at somewhere';
    expect(renderError(new QuernError('engine', 'broken', { cause }), { colour: false, verbose: true })).toMatchInlineSnapshot(`
      "error[engine]: broken
         = cause: Error: outer
               at somewhere
         = cause: inner
      "
    `);
  });

  test('colours do not change the text', () => {
    const error = at('select «x»', { hint: 'a hint' });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences
    expect(renderError(error, { colour: true, verbose: false }).replace(/\u001b\[\d+m/g, '')).toBe(renderError(error, plain));
  });
});

test('an error as data has its position, hint and problems', () => {
  expect(errorBody(at('a\n«b»', { hint: 'h' }))).toEqual({
    error: { code: 'syntax', message: 'expected something else', hint: 'h', position: { file: 'queries/q.sql', line: 2, column: 1 } },
  });
  const problems = [{ kind: 'missing', name: 'project', message: 'string' }];
  expect(errorBody(new QuernError('parameter', 'm', { problems, notes: [] }))).toEqual({
    error: { code: 'parameter', message: 'm', problems },
  });
});
