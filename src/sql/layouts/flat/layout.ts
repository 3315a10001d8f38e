// Records of which each field is a column of its own, as many log shippers write them: `request.path` or `request_path`.

import { didYouMean } from '../../../base/errors.ts';
import { quoteIdentifier } from '../../../clickhouse/quote.ts';
import { isNullable, readType } from '../../../clickhouse/type.ts';
import { fail } from '../../base/fail.ts';
import { STRING, type Type } from '../../base/types.ts';
import { valueType } from '../column/plain-type.ts';
import { recordTypeOf } from '../declared-fields.ts';
import type { Path, RecordLayout } from '../layout.ts';
import { FIELDS, gatherFields, pathOf } from './columns.ts';
import type { FlatRead } from './read.ts';
import { FLAT_READER } from './reader.ts';

export const FLAT: RecordLayout<FlatRead> = {
  name: 'flat',
  records: true,
  place({ fields }, path) {
    if (path.length === 0) return Object.keys(fields).length === 1 ? '1 column' : `${Object.keys(fields).length} columns`;
    const field = fields[path.join('.')];
    return field === undefined ? 'NULL' : quoteIdentifier(field.column);
  },

  recognised: 'by declaration',
  settings: {
    prefix: 'the prefix of the columns that hold fields; without it, every column is a field except those of the source itself',
  },
  fits: ({ type }) => type === FIELDS,
  gather: gatherFields,
  column({ parts = [] }, wishes) {
    const fields = Object.fromEntries(
      parts.map(({ name, type }) => [pathOf(name, wishes).join('.'), { column: name, clickhouseType: type }]),
    );
    const { declared } = wishes;
    const types = Object.entries(fields).map(([path, { clickhouseType }]): [string, Type] => {
      const stored = readType(clickhouseType);
      const own = valueType(stored) ?? STRING;
      return [path, stored.name === 'Array' ? own : (declared.get(path) ?? own)];
    });
    const paths = Object.keys(fields);
    const absent = [...declared].filter(
      ([path]) => !paths.some((held) => held === path || held.startsWith(`${path}.`) || path.startsWith(`${held}.`)),
    );
    return {
      type: recordTypeOf(new Map([...types, ...absent])),
      read: { layout: 'flat', fields, absent: absent.map(([path]) => path) },
    };
  },

  oneElement: () => true,
  finite: false,
  nullWithoutRecord({ fields }, path) {
    const field = fields[path.join('.')];
    return field === undefined || isNullable(readType(field.clickhouseType));
  },
  undeclaredArrays: false,
  recordsApart: false,
  checkField({ fields, absent }, path, span) {
    const known = [...Object.keys(fields), ...absent];
    if (isKnown(known, path)) return;
    const record = path.slice(
      0,
      path.findIndex((_, i) => !isKnown(known, path.slice(0, i + 1))),
    );
    const name = path[record.length] ?? '';
    const names = known.map((field) => field.split('.')).filter((field) => record.every((part, i) => field[i] === part));
    const hint =
      didYouMean(name, [...new Set(names.map((field) => field[record.length] ?? ''))]) ??
      '`quern sources NAME` lists the fields of a source';
    fail('unknown-column', span, `no column holds the field ${['metadata', ...record, name].join('.')}`, hint);
  },

  ...FLAT_READER,
};

const isKnown = (known: readonly string[], path: Path): boolean =>
  known.some((field) => field === path.join('.') || field.startsWith(`${path.join('.')}.`));
