// The functions of files, which every query may call. The files are read at the first call that names none of BigQuery's functions.
import { QuernError } from '../../../base/errors.ts';
import type { SourceText } from '../../../base/source-text.ts';
import type { OwnFunction } from '../../syntax/ast.ts';
import { parseFunctionFile } from '../../syntax/parser/parse-script.ts';

interface LibraryFunction {
  readonly definition: OwnFunction;
  readonly source: SourceText;
}

export interface Library {
  /** Finds a function by its name in calls, with its project or without. Throws the errors of any of the files, and `config` for two of one name. */
  find(name: string): LibraryFunction | undefined;
  names(): readonly string[];
  /** The files of the functions that were found so far. */
  readonly used: ReadonlySet<SourceText>;
}

export function openLibrary(files: readonly SourceText[]): Library {
  let read: ReadonlyMap<string, LibraryFunction> | undefined;
  const all = () => {
    read ??= readAll(files);
    return read;
  };
  const used = new Set<SourceText>();
  return {
    find(name) {
      const found = all().get(name.toLowerCase()) ?? all().get(withoutProject(name));
      if (found !== undefined) used.add(found.source);
      return found;
    },
    used,
    names: () => [...new Set([...all().values()].map(({ definition }) => definition.name.name))],
  };
}

function readAll(files: readonly SourceText[]): ReadonlyMap<string, LibraryFunction> {
  const found = new Map<string, LibraryFunction>();
  for (const source of files) {
    const definition = inFile(source, () => parseFunctionFile(source.text));
    const { name, span } = definition.name;
    for (const key of new Set([name.toLowerCase(), withoutProject(name)])) {
      const other = found.get(key);
      if (other !== undefined)
        throw new QuernError('config', `${key} is also the function of ${other.source.name}`, {
          source,
          span,
          hint: 'rename one of the two',
        });
      found.set(key, { definition, source });
    }
  }
  return found;
}

/** Calls `action`; its errors are shown in the file. */
export function inFile<T>(source: SourceText, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof QuernError && error.details.source === undefined ? error.in(source) : error;
  }
}

/** Returns `dataset.f` of `project.dataset.f`, in lower case. */
function withoutProject(name: string): string {
  const parts = name.toLowerCase().split('.');
  return parts.slice(Math.max(0, parts.length - 2)).join('.');
}
