// Finds the ends of statements: semicolons outside of texts, names and comments.

const TOKEN =
  /'''(?:[^\\]|\\[\s\S])*?'''|"""(?:[^\\]|\\[\s\S])*?"""|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|`[^`]*`|(?:--|#)[^\n]*(?=\n)|\/\*[\s\S]*?\*\/|;|'|"|`|--|#|\/\*|[^;'"`#/-]+|[/-]/y;
/** Tokens that begin something whose end has not been typed. */
const OPEN: ReadonlySet<string> = new Set(["'", '"', '`', '--', '#', '/*']);
/** Statements that something comes after. */
const BEFORE_A_QUERY = /^\s*(?:(?:--|#)[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*(?:declare|set|create)\b/i;

interface Typed {
  /** Whole, each without the semicolon at its end. */
  readonly statements: readonly string[];
  /** The text that was typed behind them. */
  readonly rest: string;
}

/** `text` ends with the end of a line. Declarations stay with the query behind them. */
export function statementsOf(text: string): Typed {
  const statements: string[] = [];
  let start = 0;
  let part = 0;
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token !== null && !OPEN.has(token[0]); token = TOKEN.exec(text)) {
    if (token[0] !== ';') continue;
    const end = TOKEN.lastIndex;
    const whole = !BEFORE_A_QUERY.test(text.slice(part, end));
    part = end;
    if (!whole) continue;
    const statement = text.slice(start, end - 1);
    if (statement.trim() !== '') statements.push(statement);
    start = end;
  }
  const rest = text.slice(start);
  return { statements, rest: rest.trim() === '' ? '' : rest };
}
