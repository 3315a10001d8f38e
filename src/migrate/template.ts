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
      reason: `it is a template: ${placed(text, jinja)} is Jinja that was not compiled`,
      hint: '`dbt compile` writes the SQL of the models to target/compiled: import that; what another tool fills in is a parameter here, @name',
    };
  }
  const dataform = DATAFORM.exec(text);
  if (dataform === null) return undefined;
  return {
    reason: `it is a template: ${placed(text, dataform)} was not compiled`,
    hint: 'import what the tool makes of it, such as the SQL that `dataform compile --json` prints',
  };
}

function placed(text: string, { index, 0: found }: RegExpExecArray): string {
  const line = text.slice(0, index).split('\n').length;
  const shown = found.replace(/\s+/g, ' ');
  return `${shown.length > 60 ? `${shown.slice(0, 59)}…` : shown} in line ${line}`;
}
