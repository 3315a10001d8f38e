// A column that a source may have and its table has not: NULL in every row.
import type { ValueLayout } from '../layout.ts';
import { nothing } from '../stored.ts';
import type { AbsentRead } from './read.ts';

export const ABSENT: ValueLayout<AbsentRead> = {
  name: 'absent',
  records: false,
  place: () => 'NULL',
  value: (_alias, _read, type) => nothing(type),
  neverNull: () => false,
  constant: true,
};
