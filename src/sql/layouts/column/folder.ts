// Folders named key=value on the way to a file, as Hive and Spark write them.
import type { SqlExpression } from '../../target/ast.ts';
import { call, iff, lit, NULL } from '../../target/build.ts';

/** Hive's name of the folder of rows whose key is NULL. */
export const NULL_FOLDER = '__HIVE_DEFAULT_PARTITION__';

/** The value of the folder with this key, which case does not matter to, as a text; NULL where there is none. */
export function folderValue(path: SqlExpression, key: string): SqlExpression {
  const literal = key.replace(/[^\p{L}\p{N}_]/gu, (character) => `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  const folder = lit(`(?i)(?:^|/)${literal}=([^/]*)/`);
  return iff(call('match', path, folder), call('nullIf', call('extract', path, folder), lit(NULL_FOLDER)), NULL);
}
