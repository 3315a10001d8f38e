// What can be said of files beside where they are: one table for the settings of quern.yaml, their schema, and the flags of commands.

import type { JsonSchema } from '../../base/json-schema.ts';
import { ENCODINGS, type Encoding } from '../../files/encoding.ts';
import { type FileFormat, FORMATS, JSON_FORMATS, TEXT_FORMATS } from './formats.ts';

/** Undefined is what the file shows, or what is usual. */
export interface FileOptions {
  readonly delimiter?: string | undefined;
  /** Whether the first line of CSV and TSV holds names. */
  readonly header?: boolean | undefined;
  /** Lines of CSV and TSV in front of the rows; the last of them is the header, where there is one. */
  readonly skipLeadingRows?: number | undefined;
  /** Absent for UTF-8. */
  readonly encoding?: Encoding | undefined;
  /** The text without quotes that is NULL in CSV and TSV. */
  readonly nullText?: string | undefined;
}

interface FileOption {
  readonly key: keyof FileOptions;
  /** As commander takes them, and what each says where that is not `help`. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** What completion offers. */
  readonly values?: readonly string[];
  readonly formats: readonly FileFormat[];
  readonly help: string;
  readonly schema: JsonSchema;
  /** Returns undefined for a value that it cannot have. */
  read(value: unknown): FileOptions | undefined;
  readonly mustBe: string;
  readonly hint?: string;
}

const LINE_FORMATS: readonly FileFormat[] = [...TEXT_FORMATS, ...JSON_FORMATS];

export const FILE_OPTIONS = {
  delimiter: {
    key: 'delimiter',
    flags: { '--delimiter <character>': undefined },
    formats: TEXT_FORMATS,
    help: 'what separates values, if it is not detected',
    schema: { type: 'string', minLength: 1, maxLength: 1 },
    // ClickHouse takes a single byte.
    read: (value) => (typeof value === 'string' && /^[\t\x20-\x7e]$/.test(value) && value !== '"' ? { delimiter: value } : undefined),
    mustBe: 'a single character',
    hint: "write ';', '|' or \"\\t\"",
  },
  header: {
    key: 'header',
    flags: { '--header': 'the first line names the columns', '--no-header': 'no line names the columns' },
    formats: TEXT_FORMATS,
    help: 'whether the first line names the columns',
    schema: { type: 'boolean' },
    read: (value) => (typeof value === 'boolean' ? { header: value } : undefined),
    mustBe: 'true or false',
  },
  skip_leading_rows: {
    key: 'skipLeadingRows',
    flags: { '--skip-leading-rows <n>': undefined },
    formats: TEXT_FORMATS,
    help: 'how many lines precede the rows; the last of them may name the columns',
    schema: { type: 'integer', minimum: 0 },
    read: (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? { skipLeadingRows: Number(value) } : undefined),
    mustBe: 'a number of lines',
    hint: 'write 0 if the first line is a row',
  },
  encoding: {
    key: 'encoding',
    flags: { '--encoding <name>': undefined },
    values: ENCODINGS,
    formats: LINE_FORMATS,
    help: 'the encoding of the text, if it is not UTF-8',
    schema: { type: 'string', examples: ENCODINGS.filter((name) => name !== 'UTF-8') },
    read(value) {
      const found = ENCODINGS.find((name) => typeof value === 'string' && name.toLowerCase() === value.toLowerCase());
      if (found === undefined) return undefined;
      return found === 'UTF-8' ? {} : { encoding: found };
    },
    mustBe: `one of: ${ENCODINGS.join(', ')}`,
  },
  null_text: {
    key: 'nullText',
    flags: { '--null-text <text>': undefined },
    formats: TEXT_FORMATS,
    help: 'the text that means NULL, such as NA; empty values are then empty strings',
    schema: { type: 'string', minLength: 1 },
    read: (value) => (typeof value === 'string' && /^[^"\r\n]+$/.test(value) ? { nullText: value } : undefined),
    mustBe: 'a text without quotes and line breaks',
    hint: "write it between quotes, such as '-'",
  },
} as const satisfies Readonly<Record<string, FileOption>>;

export type FileOptionName = keyof typeof FILE_OPTIONS;
export const FILE_OPTION_NAMES = Object.keys(FILE_OPTIONS) as readonly FileOptionName[];

/** Options as quern.yaml has them. */
export type RawFileOptions = Readonly<Partial<Record<FileOptionName, unknown>>>;

/** The formats that take an option, as people call them: `CSV and TSV`. */
export const formatsText = (name: FileOptionName): string =>
  FILE_OPTIONS[name].formats
    .map((format) => FORMATS[format].label)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ');

/** `help`, after the formats that take the option. */
export const optionHelp = (name: FileOptionName, help: string = FILE_OPTIONS[name].help): string => `for ${formatsText(name)}: ${help}`;

export const takesOption = (format: FileFormat, name: FileOptionName): boolean => FILE_OPTIONS[name].formats.some((one) => one === format);

type Report = (name: FileOptionName, message: string, hint?: string) => undefined;

/** The options of files of `format`; undefined, and reported, where one cannot be. Without `format` any file may be meant. */
export function readFileOptions(raw: RawFileOptions, format: FileFormat | undefined, report: Report): FileOptions | undefined {
  let isRight = true;
  const wrong: Report = (...problem) => {
    isRight = false;
    return report(...problem);
  };
  const said = FILE_OPTION_NAMES.filter((name) => raw[name] !== undefined);
  const read = said.map((name): FileOptions => {
    const { mustBe, hint, ...option }: FileOption = FILE_OPTIONS[name];
    if (format !== undefined && !takesOption(format, name))
      wrong(name, `only applies to ${formatsText(name)}, and these files are ${FORMATS[format].label}`);
    return option.read(raw[name]) ?? wrong(name, `must be ${mustBe}`, hint) ?? {};
  });
  const options = Object.assign({}, ...read) as FileOptions;
  if (options.header === true && options.skipLeadingRows === 0)
    wrong('skip_leading_rows', 'is 0, but a header takes up a line', 'leave it out, or say that there is no header');
  return isRight ? options : undefined;
}
