// Values of types that no parameter of ClickHouse has (`-p s:STRUCT<a INT64>:{"a":1}`): each of their parts is a parameter of its own, and the parameter an
// expression of those.
import { QuernError } from '../../../base/errors.ts';
import type { GivenType } from '../../../queries/given-type.ts';
import { parseDigits, readValue } from '../../../queries/parameter-value.ts';
import type { ParameterDeclaration, ParameterTypeName } from '../../../queries/saved-query.ts';

/** A parameter that is a part of another's value. */
interface Part {
  readonly declaration: ParameterDeclaration;
  readonly value: string;
}

interface GivenValue {
  /** GoogleSQL over the parts. */
  readonly expression: string;
  readonly parts: readonly Part[];
}

/** `text` is the given value, null for NULL; `named` makes the names of parts. Throws QuernError `usage` for a value of another type. */
export function readGivenValue(type: GivenType, text: string | null, named: (part: number) => string): GivenValue {
  const parts: Part[] = [];
  const part = (value: string, of: ParameterTypeName): string => {
    const declaration = { name: named(parts.length), type: of, array: false, required: false };
    parts.push({ declaration, value });
    return `@${declaration.name}`;
  };
  const written = (of: GivenType, value: unknown, at: string): string => {
    if (value === null || value === undefined) return `CAST(NULL AS ${of.sql})`;
    switch (of.kind) {
      case 'bound': {
        const read = readValue({ name: at, type: of.type, array: false, required: false }, value);
        return 'problem' in read ? wrong(at, read.problem) : part(String(value), of.type);
      }
      case 'made':
        if (typeof value !== 'string' && typeof value !== 'number') return wrong(at, `a value of type ${of.sql} must be text`);
        return of.make(part(String(value), 'string'));
      case 'array':
        if (!Array.isArray(value)) return wrong(at, `a value of type ${of.sql} must be a JSON list`);
        return `${of.sql}[${value.map((item: unknown, i) => written(of.element, item, `${at}[${i}]`)).join(', ')}]`;
      case 'struct': {
        if (typeof value !== 'object' || Array.isArray(value)) return wrong(at, `a value of type ${of.sql} must be a JSON object`);
        const given = new Map(
          Object.entries(value).map(([name, field]: readonly [string, unknown]) => [name.toLowerCase(), field] as const),
        );
        for (const name of Object.keys(value)) {
          if (!of.fields.some((field) => field.name.toLowerCase() === name.toLowerCase())) wrong(at, `the type has no field ${name}`);
        }
        const fields = of.fields.map((field) =>
          written(field.type, given.get(field.name.toLowerCase()), at === '' ? field.name : `${at}.${field.name}`),
        );
        return `${of.sql}(${fields.join(', ')})`;
      }
    }
  };
  const isText = type.kind === 'bound' || type.kind === 'made';
  return { expression: written(type, text === null || isText ? text : parsed(text), ''), parts };
}

function wrong(at: string, message: string): never {
  throw new QuernError('usage', at === '' ? message : `${at}: ${message}`);
}

function parsed(text: string): unknown {
  try {
    return parseDigits(text);
  } catch {
    return wrong('', 'the value is not JSON');
  }
}
