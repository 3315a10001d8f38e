// SQL that is not SQL yet: templates, which another tool fills in.

interface Template {
  readonly reason: string;
  readonly hint: string;
}

const JINJA = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/;
const DATAFORM = /\$\{[^}]*\}/;

/** The first thing in the text that a tool would have filled in. */
export function templateIn(text: string): Template | undefined {
  const jinja = JINJA.exec(text);
  if (jinja !== null) {
    return {
      reason: `it is a template: ${placed(text, jinja)} is uncompiled Jinja`,
      hint: 'import target/compiled, where `dbt compile` writes the SQL of models; write what other tools fill in as parameters, @name',
    };
  }
  const dataform = DATAFORM.exec(text);
  if (dataform === null) return undefined;
  return {
    reason: `it is a template: ${placed(text, dataform)} is not compiled`,
    hint: 'import the compiled SQL, such as that printed by `dataform compile --json`',
  };
}

function placed(text: string, { index, 0: found }: RegExpExecArray): string {
  const line = text.slice(0, index).split('\n').length;
  const shown = found.replace(/\s+/g, ' ');
  return `${shown.length > 60 ? `${shown.slice(0, 59)}…` : shown} on line ${line}`;
}
