// What kind of statement the text of a job is, in the API's words.

/** Comments, and what stands in quotes, with the quotes. */
const APART = /--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|('''|"""|['"`])(?:\\[\s\S]|(?!\1)[^\\])*\1/g;
const TEMPORARY_FUNCTION = /^CREATE (?:OR REPLACE )?TEMP(?:ORARY)? (?:AGGREGATE )?FUNCTION /;
const CREATE = /^CREATE (?:OR REPLACE )?(?:(?:TEMP|TEMPORARY|EXTERNAL|AGGREGATE|SNAPSHOT) )*/;

/** By the words that a statement begins with, behind CREATE, DROP and ALTER too. */
const OBJECTS = ['TABLE FUNCTION', 'TABLE', 'MATERIALIZED VIEW', 'VIEW', 'FUNCTION', 'PROCEDURE', 'SCHEMA', 'MODEL'];
const ALONE: Readonly<Record<string, string>> = {
  SELECT: 'SELECT',
  WITH: 'SELECT',
  FROM: 'SELECT',
  '(': 'SELECT',
  INSERT: 'INSERT',
  UPDATE: 'UPDATE',
  DELETE: 'DELETE',
  MERGE: 'MERGE',
  TRUNCATE: 'TRUNCATE_TABLE',
  CALL: 'CALL',
  ASSERT: 'ASSERT',
  EXPORT: 'EXPORT_DATA',
};

/** Returns SELECT, SCRIPT, CREATE_TABLE_AS_SELECT and the like; undefined for a text that begins as no statement does. */
export function statementType(sql: string): string | undefined {
  const plain = sql.replace(APART, (part) => (/^['"`]/.test(part) ? 'x' : ' ')).toUpperCase();
  const all = plain.split(';').map((part) => part.trim().replaceAll(/\s+/g, ' '));
  const statements = all.filter((part) => part !== '');
  // Functions belong to the statement behind them.
  const first = statements.findIndex((part) => !TEMPORARY_FUNCTION.test(`${part} `));
  const [only = statements.at(-1) ?? '', ...more] = first === -1 ? [] : statements.slice(first);
  const word = /^(?:\w+|\()/.exec(only)?.[0] ?? '';
  if (more.length > 0 || /^(?:DECLARE|SET|BEGIN|IF|LOOP|WHILE|REPEAT|FOR|EXECUTE)$/.test(word)) return 'SCRIPT';
  return ALONE[word] ?? ofObject(only, word);
}

function ofObject(statement: string, word: string): string | undefined {
  if (word !== 'CREATE' && word !== 'DROP' && word !== 'ALTER') return undefined;
  const rest = word === 'CREATE' ? statement.replace(CREATE, '') : statement.slice(word.length + 1);
  const object = OBJECTS.find((name) => rest.startsWith(`${name} `));
  if (object === undefined) return undefined;
  const isFilled = word === 'CREATE' && object === 'TABLE' && / AS ?\(?(?:SELECT|WITH|FROM|\()/.test(rest);
  return `${word}_${object.replace(' ', '_')}${isFilled ? '_AS_SELECT' : ''}`;
}
