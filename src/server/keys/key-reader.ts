// Reads what a file of keys says, piece by piece. Since version 4 a file grows by a line for each change, and only what ends with its line counts: a
// process that is killed while it writes leaves a part of a line, which is nothing. What follows the last line makes the file JSON.
import { QuernError } from '../../base/errors.ts';
import { KeyLines, lineOf } from './key-lines.ts';
import { recordFromJson } from './key-record.ts';

const VERSION = 5;
/** The first version whose files are lists of changes. */
const OF_CHANGES = 4;
export const HEADER = `{"version":${VERSION},"changes":[`;
export const END = ']}';

export class KeyReader {
  readonly keys: KeyLines;
  readonly #file: string;
  /** What has come of a line. */
  #rest = '';
  /** Of a file of another shape: all that has come. */
  #other: string[] | undefined;
  #bytes = 0;
  #last = '';

  constructor(file: string) {
    this.#file = file;
    this.keys = new KeyLines((message) => damaged(file, message));
  }

  /** Where the last whole line ends; undefined for a file that must be rewritten before it can grow. */
  get end(): number | undefined {
    return this.#other !== undefined || this.#last === '' ? undefined : this.#bytes;
  }

  /** The last whole line. */
  get last(): string {
    return this.#last;
  }

  /** `piece`: a character for each byte. Throws QuernError `config` for what is no key. */
  push(piece: string): void {
    if (this.#other !== undefined) {
      this.#other.push(piece);
      return;
    }
    const text = this.#rest + piece;
    if (this.#last === '' && !`${HEADER}\n`.startsWith(text.slice(0, HEADER.length + 1))) {
      this.#other = [text];
      return;
    }
    let [last, from] = [0, 0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      if (text.startsWith(`${END}\n`, from)) break; // an editor ends the last line, too
      this.#take(text.slice(text[from] === ',' ? from + 1 : from, at));
      [last, from] = [from, at + 1];
    }
    this.#bytes += from;
    if (from > 0) this.#last = text.slice(last, from - 1);
    this.#rest = text.slice(from);
  }

  /** To be called after the last piece; pieces that are added to the file later may follow all the same. */
  finish(): void {
    if (this.#other !== undefined) this.#takeOther(Buffer.from(this.#other.join(''), 'latin1').toString('utf8'));
    else if (this.#last === '') throw damaged(this.#file, 'it is not JSON');
    this.#rest = '';
  }

  #take(line: string): void {
    const trouble = line === HEADER ? undefined : this.keys.apply(line);
    if (trouble !== undefined) throw damaged(this.#file, `the line ${line.slice(0, 18)} ${trouble}`);
  }

  /** What older versions wrote, or this one and somebody else since. */
  #takeOther(text: string): void {
    const file = this.#file;
    let content: unknown;
    try {
      content = JSON.parse(text);
    } catch (cause) {
      throw damaged(file, 'it is not JSON', cause);
    }
    const { version, keys, changes } = Object(content) as {
      readonly version?: unknown;
      readonly keys?: unknown;
      readonly changes?: unknown;
    };
    if (typeof version === 'number' && version > VERSION) {
      throw new QuernError('config', `${file} was written by a newer quern (version ${version}, this quern knows ${VERSION})`, {
        hint: 'update quern, or name another file with keys_file',
      });
    }
    const ofChanges = Number(version) >= OF_CHANGES;
    const all = ofChanges ? changes : keys;
    if (!(typeof version === 'number' && version >= 1) || !Array.isArray(all)) throw damaged(file, 'it does not contain keys');
    const names = new Set<string>();
    for (const [i, one] of all.entries()) {
      if (ofChanges) {
        const trouble = this.keys.apply(Buffer.from(JSON.stringify(one)).toString('latin1'));
        if (trouble !== undefined) throw damaged(file, `change ${i + 1} ${trouble}`);
        continue;
      }
      const record = recordFromJson(one);
      if (typeof record === 'string') throw damaged(file, `key ${i + 1} ${record}`);
      const { id, name } = record.key;
      if (this.keys.has(id)) throw damaged(file, `two keys have the id ${id}`);
      if (names.has(name)) throw damaged(file, `two keys have the name ${name}`);
      names.add(name);
      this.keys.apply(lineOf({ put: record }));
    }
  }
}

const damaged = (file: string, message: string, cause?: unknown): QuernError =>
  new QuernError('config', `${file} is damaged: ${message}`, {
    hint: 'restore it from a copy, or move it away to start without keys',
    cause,
  });
