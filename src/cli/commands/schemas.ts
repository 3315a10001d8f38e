// The JSON Schemas that editors complete quern's files by, made from the tables that read these files.

import { closed, DRAFT, type JsonSchema } from '../../base/json-schema.ts';
import { settingsSchemas } from '../../config/fields.ts';
import { VERSION_KEY, VERSION_SCHEMA } from '../../config/file-version.ts';
import { boardSchema } from '../../queries/boards/board-file.ts';
import { checksSchema } from '../../queries/header/checks.ts';
import { querySchema } from '../../queries/header/fields.ts';
import { SOURCES_SCHEMA } from '../../sources/fields.ts';
import { NAMES } from '../../sources/names.ts';

export const SCHEMAS: Readonly<Record<'project' | 'query' | 'checks' | 'board', () => JsonSchema>> = {
  project: projectSchema,
  query: querySchema,
  checks: checksSchema,
  board: boardSchema,
};

function projectSchema(): JsonSchema {
  const { settings, profiles } = settingsSchemas();
  return {
    $schema: DRAFT,
    title: 'quern.yaml',
    ...closed({ [VERSION_KEY]: VERSION_SCHEMA, ...settings, sources: SOURCES_SCHEMA, names: NAMES.schema, profiles }),
  };
}
