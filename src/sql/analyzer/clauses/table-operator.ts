// PIVOT, UNPIVOT and TABLESAMPLE, behind a table in FROM or as pipe operators.

import { fail } from '../../base/fail.ts';
import type * as ast from '../../syntax/ast.ts';
import type { AnalyzedFrom } from '../analyzed.ts';
import type { Context } from '../context.ts';
import { pivot } from './pivot.ts';
import { unpivot } from './unpivot.ts';

export function applyTableOperator(operator: ast.TableOperator, from: AnalyzedFrom, context: Context): AnalyzedFrom {
  switch (operator.kind) {
    case 'pivot':
      return pivot(operator, from, context);
    case 'unpivot':
      return unpivot(operator, from, context);
    case 'tablesample':
      return fail(
        'unsupported',
        operator.span,
        'TABLESAMPLE is not supported: ClickHouse samples only tables that are made for it',
        'filter rows: WHERE RAND() < 0.1',
      );
  }
}
