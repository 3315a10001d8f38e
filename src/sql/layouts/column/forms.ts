// The forms that most texts of a column of times have: these are read with fewer checks.
import type { Type } from '../../types.ts';
import type { PlainRead } from './read.ts';

/** With the forms of such texts, some of which `texts` has by the names of the columns in the table. */
export function withForms(read: PlainRead, type: Type, texts: Readonly<Record<string, readonly string[]>>): PlainRead {
  if (read.says !== 'text' || !Object.hasOwn(texts, read.column)) return read;
  const found = new Set(texts[read.column]?.map((text) => text.replaceAll(/\d/g, '0')));
  const forms = [...found].filter((form) => FORMS[type.kind]?.test(form));
  return forms.length === 0 ? read : { ...read, forms };
}

/** Without a zone, or in UTC, and with no more digits than BigQuery reads. A DATETIME has no zone. */
const FORMS: Readonly<Record<string, RegExp>> = {
  DATETIME: /^0000-00-00[ T]00:00:00(?:\.0{1,6})?$/,
  TIMESTAMP: /^0000-00-00[ T]00:00:00(?:\.0{1,6})?(?: UTC|Z)?$/,
};
