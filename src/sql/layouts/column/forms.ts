// The forms that most texts of a column of times have: these are read with fewer checks.
import type { Type } from '../../base/types.ts';
import type { PlainRead } from './read.ts';

/** With those of `forms`, by the names of the columns in the table, that may be read so. */
export function withForms(read: PlainRead, type: Type, forms: Readonly<Record<string, readonly string[]>>): PlainRead {
  if (read.says !== 'text' || !Object.hasOwn(forms, read.column)) return read;
  const known = forms[read.column]?.filter((form) => FORMS[type.kind]?.test(form)) ?? [];
  return known.length === 0 ? read : { ...read, forms: known };
}

/** Without a zone, or in UTC, and with no more digits than BigQuery reads. A DATETIME has no zone. */
const FORMS: Readonly<Record<string, RegExp>> = {
  DATETIME: /^0000-00-00[ T]00:00:00(?:\.0{1,6})?$/,
  TIMESTAMP: /^0000-00-00[ T]00:00:00(?:\.0{1,6})?(?: UTC|Z)?$/,
};
