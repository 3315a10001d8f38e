// quern doctor: examines everything that a run needs, and says what to do where something is wrong.
import type { Command } from 'commander';
import { QuernError } from '../../base/errors.ts';
import { permitRedis } from '../../connection/project-trust.ts';
import type { Finding } from '../../doctor/finding.ts';
import { prepare } from '../../execution/prepare.ts';
import { formatAskedFor } from '../../output/index.ts';
import { formatOption } from '../arguments/flags.ts';
import type { Parts } from '../parts.ts';
import { redisAddress } from './redis-address.ts';

const MARKS = { ok: 'ok  ', note: 'note', fail: 'FAIL' } as const;

export function register(command: Command, { settings, catalog, connection, preparing, io, terminal }: Parts): void {
  command
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  quern doctor\n  quern doctor --profile production\n  quern doctor --format json\n\nThe exit code is 1 when something will not work.',
    )
    .action(async (flags: { readonly format?: string }) => {
      const format = formatAskedFor(flags.format, undefined);
      const findings: Finding[] = [];
      const [{ examine }, { sourcesOf }] = await Promise.all([
        import('../../doctor/doctor.ts'),
        import('../../connection/list-sources.ts'),
      ]);
      const patient = {
        settings,
        connection,
        sources: async () => sourcesOf(await connection(), { refresh: true }),
        redis: async () => {
          const loaded = await settings();
          const address = redisAddress(loaded.values);
          if (address === undefined) return undefined;
          permitRedis(loaded, io.env);
          return (await import('../../server/shared/redis.ts')).pingRedis(address);
        },
        savedQueries: async () => (await catalog()).list(),
        boards: async (folder: string) => {
          const { boardsFolder, readBoards } = await import('../../queries/boards/boards.ts');
          return readBoards(boardsFolder(folder), await catalog());
        },
        prepared: async (name: string) => prepare({ query: name }, await preparing()),
        now: Date.now,
      };
      for await (const finding of examine(patient)) {
        findings.push(finding);
        if (format === undefined) await io.stdout.write(lines(finding, io.stdout.columns));
      }
      if (format !== undefined) {
        const columns = ['subject', 'state', 'detail', 'advice'].map((name) => ({ name, type: { kind: 'STRING' } as const }));
        const rows = findings.map(({ subject, state, detail, advice }) => [subject, state, detail, advice ?? null]);
        await terminal.print({ columns, rows, truncated: false }, flags);
      }
      const failed = findings.filter(({ state }) => state === 'fail');
      if (failed.length === 0) return;
      throw new QuernError(
        'engine',
        `${failed.length} of ${findings.length} checks failed: ${failed.map(({ subject }) => subject).join(', ')}`,
        {
          hint: 'see the advice above',
        },
      );
    });
}

const INDENT = '      ';

/** `columns` is the width of the terminal, undefined where there is none. */
function lines({ subject, state, detail, advice }: Finding, columns: number | undefined): string {
  const texts = [`${subject}: ${detail}`, ...(advice === undefined ? [] : [advice])];
  const wrapped = texts.flatMap((text) => wrapWords(text, columns === undefined ? undefined : columns - INDENT.length));
  return wrapped.map((line, i) => `${i === 0 ? `${MARKS[state]}  ` : INDENT}${line}\n`).join('');
}

/** Words that are longer than a line, such as paths, stay whole. */
function wrapWords(text: string, width: number | undefined): readonly string[] {
  if (width === undefined) return [text];
  const done: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      done.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...done, line];
}
