// What is known of a table's types beside what the project says.
import type { SourceDefinition } from './source-definition.ts';
import type { DeclaredColumn } from './table-schema.ts';

/** The project's own words go before `declared`. */
export function withDeclared(definition: SourceDefinition, declared: readonly DeclaredColumn[]): SourceDefinition {
  const { schema = [] } = definition;
  const said = new Set(schema.map(({ name }) => name.toLowerCase()));
  return { ...definition, schema: [...schema, ...declared.filter(({ name }) => !said.has(name.toLowerCase()))] };
}
