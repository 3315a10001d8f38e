// The translation of a text that need not be a saved query: parameters that it does not declare are of types that fit.
import { QuernError } from '../base/errors.ts';
import { type Position, positionAt, type SourceText } from '../base/source-text.ts';
import { assumeTables } from '../sources/assumed-tables.ts';
import type { Sources } from '../sources/kind.ts';
import { optionsFor, type ProductOptions } from '../sources/presets/for-product.ts';
import { type GivenValue, literalText } from '../sources/presets/literal-text.ts';
import { calledParameter } from '../sql/base/positional.ts';
import { typeName } from '../sql/base/types.ts';
import { type FidelityNote, fidelityNotesOf, parse, translate } from '../sql/index.ts';
import type { Translation } from '../sql/translation.ts';
import type { QueryCatalog } from './catalog.ts';
import { expandSavedQueries, gatherReads, readsOf } from './expand.ts';
import { parseSavedQuery } from './header/header.ts';
import { sqlStart } from './header/text.ts';
import { parameterTypeOf, readParameterType, typeHint } from './parameter-type.ts';
import { parameterType } from './parameter-types.ts';
import { readValue } from './parameter-value.ts';
import { referencesOf } from './references.ts';
import type { ParameterDeclaration, ParameterType } from './saved-query.ts';

type GivenParameter = ParameterType & Pick<ParameterDeclaration, 'name'>;

export interface TextTranslation extends Omit<Translation, 'parameters' | 'columns'> {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly parameters: readonly TextParameter[];
  readonly notes: readonly (Omit<FidelityNote, 'span'> & Position)[];
  /** Those that nobody has declared, with the columns that the text needs. */
  readonly assumedTables: readonly { readonly name: string; readonly columns: TextTranslation['columns']; readonly text: string }[];
}

interface TextParameter extends GivenParameter {
  /** ClickHouse type to bind it with; absent when no part of the text needs the value. */
  readonly bound?: string;
  /** Nobody said its type. */
  readonly assumed: boolean;
  /** `@name`, or `parameter 1` for the first `?`. */
  readonly called: string;
}

interface TextContext extends Pick<ProductOptions, 'helpers' | 'for' | 'absent'> {
  /** Which of the queries of the text, counted from 0. Default: the last. */
  readonly result?: number | undefined;
  /** Tables that are not known are sketched from the text. */
  readonly assumeTables?: boolean | undefined;
  readonly catalog: QueryCatalog;
  readonly sources: Sources;
  /** Parameters with values, in the form of `-p`. */
  readonly valued?: readonly ParameterDeclaration[];
}

/**
 * Translates a text with its header, if it has one; `given`, parameters as `name:type`, goes before the header. Throws QuernError as the translator does, `usage`
 * for a parameter that the text does not use, and for ClickHouse SQL.
 */
export async function translateText(source: SourceText, given: readonly string[], context: TextContext): Promise<TextTranslation> {
  try {
    return await translateSource(source, given.map(readGiven), context);
  } catch (error) {
    throw error instanceof QuernError ? error.in(source) : error;
  }
}

async function translateSource(
  source: SourceText,
  given: readonly GivenParameter[],
  { catalog, sources, valued = [], assumeTables: assumes = false, result, ...options }: TextContext,
): Promise<TextTranslation> {
  const query = parseSavedQuery(source, '');
  if (query.dialect === 'clickhouse')
    throw new QuernError('usage', `${source.name} is ClickHouse SQL already`, { hint: 'remove `dialect: clickhouse` from its header' });
  const script = parse(source.text);
  const references = referencesOf(script);
  const used = new Set(references.parameters.map(({ name }) => name.toLowerCase()));
  const stray = [...given, ...valued].find(({ name }) => !used.has(name.toLowerCase()));
  if (stray !== undefined)
    throw new QuernError('usage', `${source.name} has no parameter @${stray.name}`, {
      hint: `leave out ${'expression' in stray ? '-p' : '--param'} ${stray.name}`,
    });
  const first: readonly ParameterDeclaration[] = [...valued, ...given.map((parameter) => ({ ...parameter, required: false }))];
  const declared = [...first, ...query.parameters.filter(({ name }) => !first.some((one) => same(one.name, name)))];
  // A saved query that is read as a table brings its own parameters along.
  const gathered = await gatherReads({ ...query, parameters: declared }, catalog, sources);
  const known = new Set(gathered.parameters.map(({ name }) => name.toLowerCase()));
  const assumed = new Map<string, ParameterDeclaration>();
  for (const { name } of references.parameters) {
    if (!known.has(name.toLowerCase()) && !assumed.has(name.toLowerCase()))
      assumed.set(name.toLowerCase(), { name, type: 'string', array: false, required: false });
  }
  const whole = { ...query, parameters: [...declared, ...assumed.values()] };
  const expansion = await expandSavedQueries(whole, catalog, sources);
  const { parameters } = expansion;
  const written = options.for === undefined ? parameters : parameters.map(withDefault);
  const all = optionsFor({
    ...options,
    parameters: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameterType(parameter)])),
    parameterExpressions: Object.fromEntries(
      written.flatMap(({ name, expression }) => (expression === undefined ? [] : [[name, expression]])),
    ),
    functions: catalog.functions(),
    ...readsOf(expansion),
  });
  const open = [...assumed.values()].map(({ name }) => name);
  const sketch = assumes || open.length > 0 ? assumeTables(source.text, all, open) : undefined;
  const fitting = new Map([...(sketch?.parameters ?? [])].map(([name, { type }]) => [name, type]));
  const { parameters: bound, ...translation } = translate(source.text, {
    ...all,
    parameters: { ...all.parameters, ...Object.fromEntries(fitting) },
    sources: assumes ? sketch?.sources : all.sources,
    result,
    commentsFrom: options.for === undefined ? sqlStart(source.text) : undefined,
  });
  return {
    ...translation,
    assumedTables: (assumes ? (sketch?.tables ?? []) : []).map(({ name, columns, text: words }) => ({
      name,
      columns: columns.map(named),
      text: words,
    })),
    parameters: parameters.map(({ name, type, array, fields }) => {
      const binding = bound.find((one) => same(one.name, name));
      const fits = fitting.get(name);
      return {
        name,
        ...((fits && parameterTypeOf(fits)) ?? { type, array, fields }),
        called: calledParameter(name),
        assumed: assumed.has(name.toLowerCase()),
        ...(binding === undefined ? {} : { bound: binding.type }),
      };
    }),
    columns: translation.columns.map(named),
    notes: fidelityNotesOf(script).map(({ span, ...note }) => ({ ...note, ...positionAt(source.text, span.start) })),
  };
}

const named = ({ name, type }: Translation['columns'][number]) => ({ name, type: typeName(type) });

/** Returns the declaration with its default as its value, where it has one. */
function withDefault(declaration: ParameterDeclaration): ParameterDeclaration {
  const { expression, default: given } = declaration;
  return given === undefined || expression !== undefined ? declaration : withValue(declaration, given);
}

/** Returns the declaration with a value in the query's own text. Throws QuernError `parameter` for what is no such value. */
export function withValue(declaration: ParameterDeclaration, raw: unknown): ParameterDeclaration {
  const read = raw === null ? { value: null } : readValue(declaration, raw);
  if ('problem' in read) throw new QuernError('parameter', `${declaration.name}: ${read.problem}`, {});
  return { ...declaration, expression: literalText(read.value as GivenValue, parameterType(declaration)) }; // what parameters take
}

function readGiven(text: string): GivenParameter {
  const [, name, typeText = ''] = /^@?([A-Za-z_]\w*)\s*:\s*(.*)$/s.exec(text.trim()) ?? [];
  if (name === undefined)
    throw new QuernError('usage', `--param ${JSON.stringify(text)} is not name:type`, { hint: 'write it like --param since:timestamp' });
  const type = readParameterType(typeText);
  if (type !== undefined) return { name, ...type };
  throw new QuernError('usage', `--param ${name}: ${JSON.stringify(typeText)} is not a type`, { hint: typeHint(typeText) });
}

/** BigQuery does not tell @Project from @project. */
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
