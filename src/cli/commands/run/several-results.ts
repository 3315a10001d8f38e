// Prints the results of a text that has several queries.
import { QuernError } from '../../../base/errors.ts';
import type { AnyFormat } from '../../../base/formats.ts';
import type { Parts } from '../../parts.ts';

interface Target {
  readonly format: AnyFormat | undefined;
  readonly output?: string | undefined;
  readonly scalar?: true | undefined;
}

/** Formats of which one result can follow another, and what stands between them. */
const BETWEEN: Partial<Readonly<Record<AnyFormat, string>>> = {
  table: '\n',
  chart: '\n',
  markdown: '\n',
  csv: '\n',
  tsv: '\n',
  ndjson: '',
};

/**
 * Calls `print` for each result in turn; as JSON, they are a list. Throws `usage` where they cannot stand behind each other. Where rows of some are cut off,
 * the others are printed all the same.
 */
export async function printSeveral(
  { io }: Pick<Parts, 'io'>,
  results: number,
  { output, scalar, format = io.stdout.isTerminal ? 'table' : 'ndjson' }: Target,
  print: (result: number) => Promise<void>,
): Promise<void> {
  refuseSingle(results, output, scalar);
  const isList = format === 'json';
  const between = isList ? ',\n' : BETWEEN[format];
  if (between === undefined)
    throw new QuernError('usage', `the text has ${results} queries, and ${format} holds the rows of one`, {
      hint: 'use --format json for a list of them all, or keep one query in the text',
    });
  let cut: QuernError | undefined;
  if (isList) await io.stdout.write('[\n');
  for (let result = 0; result < results; result += 1) {
    if (result > 0) await io.stdout.write(between);
    try {
      await print(result);
    } catch (error) {
      if (!(error instanceof QuernError) || error.code !== 'result') throw error;
      cut ??= error;
    }
  }
  if (isList) await io.stdout.write(']\n');
  if (cut !== undefined) throw cut;
}

function refuseSingle(results: number, output: string | undefined, scalar: true | undefined): void {
  if (scalar === true)
    throw new QuernError('usage', `--scalar prints a single value, but the text has ${results} queries`, {
      hint: 'keep the one whose value is wanted',
    });
  if (output !== undefined)
    throw new QuernError('usage', `the text has ${results} queries, and ${output} would hold the rows of one`, {
      hint: 'keep one query in the text, or write them all as a list: --format json > all.json',
    });
}
