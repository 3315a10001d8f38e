// docs/dialect.md says what the tables say, and the tables say what the translator does.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { translate } from '../../../src/sql/index.ts';
import { CLAUSES } from '../../../src/sql/lint/clauses.ts';
import { dialectPage } from '../../../src/sql/lint/page.ts';
import { queryRunner } from '../../support/query-rows.ts';

const { rows } = queryRunner();

test('docs/dialect.md is up to date (npm run docs)', () => {
  expect(readFileSync(new URL('../../../docs/dialect.md', import.meta.url), 'utf8')).toBe(dialectPage());
});

describe('query syntax', () => {
  test.each(CLAUSES.filter((clause) => clause.state !== 'refused'))('$name is translated and runs', async ({ example }) => {
    expect((await rows(example)).length).toBeGreaterThan(0);
  });

  test.each(CLAUSES.filter((clause) => clause.state === 'refused'))('$name is refused with a place', ({ example }) => {
    const refuse = (): unknown => {
      try {
        return translate(example).sql;
      } catch (error) {
        return error instanceof QuernError && error.details.span !== undefined ? 'refused' : error;
      }
    };
    expect(refuse()).toBe('refused');
  });
});
