// Words that could follow in the shell: sources, the columns of those that the statement names, functions and keywords.

interface Sources {
  readonly names: readonly string[];
  find(name: string): { readonly columns: readonly { readonly name: string }[] } | undefined;
}

interface Known {
  readonly sources: Sources;
  /** With their brackets. */
  readonly functions: readonly string[];
  readonly keywords: readonly string[];
  /** Commands of the shell. */
  readonly commands: readonly string[];
  readonly formats: readonly string[];
}

/** The words, and what they stand in place of; `before` is what was typed of the statement in earlier lines, `after` what follows the cursor. */
export function complete(line: string, before: string, known: Known, after = ''): [string[], string] {
  const [, command] = /^\s*(\\\S*)$/.exec(line) ?? [];
  if (command !== undefined) return [starting(known.commands, command), command];
  const [, format] = /^\s*\\format\s+(\S*)$/.exec(line) ?? [];
  if (format !== undefined) return [starting(known.formats, format), format];
  const typed = /[\w.@*-]*$/.exec(line)?.[0] ?? '';
  if (/^\s*\\d\s/.test(line)) return [starting(known.sources.names, typed), typed];
  if (typed === '') return [[], ''];
  const columns = columnsIn(`${before} ${line}`, known.sources);
  const [, qualifier = ''] = /^(.*\.)[^.]*$/.exec(typed) ?? [];
  const words = [...columns.map((name) => `${qualifier}${name}`), ...known.sources.names];
  const functions = after.trimStart().startsWith('(') ? known.functions.map((name) => name.replace(/\(.*$/, '')) : known.functions;
  // In the case in which the user writes.
  const lower = typed === typed.toLowerCase();
  const own = [...functions, ...known.keywords].map((word) => (lower ? word.toLowerCase() : word));
  return [[...new Set([...starting(words, typed), ...starting(own, typed)])], typed];
}

const starting = (words: readonly string[], typed: string): string[] =>
  words.filter((word) => word.toLowerCase().startsWith(typed.toLowerCase())).sort();

function columnsIn(text: string, sources: Sources): readonly string[] {
  const lower = text.toLowerCase();
  return sources.names
    .filter((name) => lower.includes(name.toLowerCase()))
    .flatMap((name) => {
      try {
        return sources.find(name)?.columns.map((column) => column.name) ?? [];
      } catch {
        return []; // it cannot be used; a query that names it says why
      }
    });
}
