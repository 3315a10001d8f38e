// Says in plain words why a text is not YAML: the parser's own words are about its grammar.

interface YamlProblem {
  /** Follows "is not YAML: ". */
  readonly what: string;
  readonly hint?: string | undefined;
}

type Words = readonly [message: RegExp, what: string, hint?: string];

/** `$1` is what the message names. https://eemeli.org/yaml/#errors */
const WORDS: readonly Words[] = [
  [/end with a \]/, 'a list in [ ] is not closed', 'add the ], or indent the lines that belong to the list'],
  [/end with a \}/, 'a mapping in { } is not closed', 'add the }, or indent the lines that belong to the mapping'],
  [/^Missing closing (["'])quote/, 'a text that begins with $1 is not closed', 'add the $1 at its end'],
  [/keys must be unique/, 'this name is given twice', 'keep one of the two'],
  [/^Tabs are not allowed/, 'this line is indented with a tab', 'indent with spaces'],
  [
    /^Nested mappings are not allowed/,
    'this line has a second colon, or is indented too far',
    'put a text that contains a colon in quotes',
  ],
  [/^A block sequence may not be/, 'this item is not indented like the one above it', 'start all items of a list in the same column'],
  [/must start at the same column/, 'this line is not indented like the one above it', 'start them in the same column'],
  [/^Implicit (?:map )?keys need/, 'this line has no colon', 'write `name: value`; a text of several lines begins with | after the colon'],
  [/cannot start with (?:reserved character|directive indicator character) (.)/, 'a text cannot begin with $1', 'put it in quotes'],
  [/multiple documents/, 'a second document begins here', 'remove the --- and what follows it'],
  [/^Invalid escape sequence (\\.)/, '$1 is not an escape of a text in double quotes', 'write \\\\ for a backslash, or use single quotes'],
];

/** `message` of an error of the package yaml. Words that follow a colon there are of the text, and are left out. */
export function yamlProblem(message: string): YamlProblem {
  for (const [pattern, what, hint] of WORDS) {
    const found = pattern.exec(message);
    if (found !== null) return { what: what.replace('$1', found[1] ?? ''), hint: hint?.replace('$1', found[1] ?? '') };
  }
  return { what: message.split(/ at line \d+|\n|: /)[0] ?? message };
}
