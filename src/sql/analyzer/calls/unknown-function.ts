// The error for a function that quern does not know: why there is none, what BigQuery writes, or which name is near.
import { nearest } from '../../../base/errors.ts';
import { fail } from '../../base/fail.ts';
import { absentFunction } from '../../functions/absent.ts';
import { findFunction, functionNames } from '../../functions/index.ts';
import { writtenElsewhere } from '../../functions/other-dialects.ts';
import { signaturesOf } from '../../functions/signature.ts';
import type * as ast from '../../syntax/ast.ts';
import type { Context } from '../context.ts';

/** Refuses the call; `built` are the names of functions that are not in the tables. */
export function refuseUnknown(name: string, node: ast.Call, built: readonly string[], context: Context): never {
  const last = node.name.at(-1)?.span ?? node.span;
  const span = { start: node.name[0]?.span.start ?? node.span.start, end: last.end };
  const absent = absentFunction(name);
  if (absent !== undefined) return fail('unsupported', span, `${name} is not translated: ${absent.reason}`, absent.instead);
  const here = writtenElsewhere(name);
  const near = nearest(name, [
    ...functionNames(),
    ...built,
    ...[...context.analysis.temporaryFunctions.values()].map((f) => f.name.name),
    ...context.analysis.library.names(),
  ]);
  const definition = near === undefined ? undefined : findFunction(near);
  const example =
    definition === undefined
      ? near
      : `${near}(${signaturesOf(definition.signature)[0]
          ?.parameters.map((p) => p.name)
          .join(', ')})`;
  const written = node.name.map((p) => p.name).join('.');
  const [ownName, ...dataset] = written.split('.').toReversed();
  const where =
    dataset.length === 0
      ? 'docs/dialect.md lists the functions'
      : `a function of a dataset is read from its CREATE FUNCTION, in functions/${ownName}.sql or before the query (docs/saved-queries.md)`;
  const meant = example === undefined ? where : `did you mean ${example}?`;
  return fail(
    'unknown-function',
    span,
    `${written} is not a function quern can translate`,
    here === undefined ? meant : `BigQuery writes ${here}`,
  );
}
