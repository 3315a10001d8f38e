// The reporters by name, each loaded on first use, and the reader of `--reporter`.
import { nearest, QuernError } from '../../base/errors.ts';
import type { MakeReporter } from './reporter.ts';

const reporters = {
  terminal: async () => (await import('./terminal.ts')).terminal,
  json: async () => (await import('./json.ts')).json,
  junit: async () => (await import('./junit.ts')).junit,
  markdown: async () => (await import('./markdown.ts')).markdown,
  html: async () => (await import('./html.ts')).html,
  github: async () => (await import('./github.ts')).github,
} as const satisfies Record<string, () => Promise<MakeReporter>>;

export type ReporterName = keyof typeof reporters;
export const reporterNames = Object.keys(reporters) as readonly ReporterName[]; // the keys of a literal are its names

export interface RequestedReporter {
  readonly name: ReporterName;
  /** Undefined for standard output. */
  readonly file: string | undefined;
}

/** Reporters whose text is a whole document, which nothing else may stand next to. */
const documents: readonly ReporterName[] = ['json', 'junit', 'markdown', 'html'];

const ENDINGS: Readonly<Partial<Record<ReporterName, string>>> = { json: 'json', junit: 'xml', markdown: 'md', html: 'html' };

/** Reads `NAME` and `NAME=FILE`. Throws `usage` for unknown names, and for reports that would get into each other's way. */
export function requestedReporters(texts: readonly string[]): readonly RequestedReporter[] {
  const requested = (texts.length === 0 ? ['terminal'] : texts).map((text): RequestedReporter => {
    const equals = text.indexOf('=');
    const typed = equals === -1 ? text : text.slice(0, equals);
    const name = reporterNames.find((known) => known === typed);
    if (name === undefined) {
      const near = nearest(typed, reporterNames);
      throw new QuernError('usage', `${typed} is not a reporter`, {
        hint: `${near === undefined ? 'the' : `did you mean ${near}? The`} reporters are ${reporterNames.join(', ')}`,
      });
    }
    if (equals === text.length - 1)
      throw new QuernError('usage', `--reporter ${text} needs a file`, { hint: `write it like ${name}=report.txt` });
    return { name, file: equals === -1 ? undefined : text.slice(equals + 1) };
  });
  const toOutput = requested.filter(({ file }) => file === undefined);
  const document = toOutput.find(({ name }) => documents.includes(name));
  if (document !== undefined && toOutput.length > 1) {
    throw new QuernError('usage', `the ${document.name} report cannot share standard output`, {
      hint: `write it to a file: --reporter ${document.name}=report.${ENDINGS[document.name] ?? 'txt'}`,
    });
  }
  const twice = requested.find(({ file }, i) => file !== undefined && requested.findIndex((other) => other.file === file) !== i);
  if (twice !== undefined) throw new QuernError('usage', `two reports cannot both go to ${twice.file}`, { hint: 'give each its own file' });
  return requested;
}

export const loadReporter = (name: ReporterName): Promise<MakeReporter> => reporters[name]();
