// quern sources: what queries can read from, and what quern found out about it.
import type { Command } from 'commander';
import type { App } from '../app.ts';
import { nearest, QuernError } from '../errors.ts';
import type { ResultColumn, Row } from '../result.ts';
import type { ListedSource } from '../sources/listing.ts';
import { formatOption } from './flags.ts';

interface Flags {
  readonly format?: string;
  readonly refresh?: true;
}

export function register(command: Command, app: App): void {
  command
    .argument('[source]', 'one source: its columns, and the declared fields of its records')
    .option('--refresh', 'ask the engine again instead of using what is remembered')
    .addOption(formatOption())
    .addHelpText(
      'after',
      `
Examples:
  quern sources
  quern sources edge_logs
  quern sources --profile production --refresh

Which table a source is, and where its columns are, stands below sources: in quern.yaml.`,
    )
    .action(async (name: string | undefined, flags: Flags) => {
      const sources = await app.sources({ refresh: flags.refresh === true });
      const [columns, rows] = name === undefined ? overview(sources) : detail(pick(sources, name));
      await app.print({ columns: columns.map(text), rows, truncated: false }, { ...flags, whole: ['source', 'column'] });
    });
}

const text = (name: string): ResultColumn => ({ name, type: { kind: 'STRING' } });

function overview(sources: readonly ListedSource[]): readonly [readonly string[], readonly Row[]] {
  const rows = sources.map(({ name, aliases, table, layout, columns, problem }) => [
    name,
    table || null,
    layout || null,
    problem === undefined
      ? columns
          .map((column) => column.name)
          .filter((column) => !column.includes('.'))
          .join(' ')
      : problem.message,
    aliases.join(' ') || null,
  ]);
  return [['source', 'table', 'layout', 'columns', 'aliases'], rows];
}

function detail({ problem, columns }: ListedSource): readonly [readonly string[], readonly Row[]] {
  if (problem !== undefined) throw problem;
  return [['column', 'type', 'stored'], columns.map(({ name, type, stored }) => [name, type, stored || null])];
}

function pick(sources: readonly ListedSource[], name: string): ListedSource {
  const named = (source: ListedSource) => [source.name, ...source.aliases].some((known) => known.toLowerCase() === name.toLowerCase());
  const found = sources.find(named);
  if (found !== undefined) return found;
  const names = sources.flatMap((source) => [source.name, ...source.aliases]);
  const near = nearest(name, names);
  throw new QuernError('unknown-source', `${name} is not a source`, {
    hint: near === undefined ? 'see them with `quern sources`' : `did you mean ${near}?`,
  });
}
