// The JSON Schemas that editors complete quern's files by, made from the tables that read these files.

import { closed, DRAFT, type JsonSchema } from '../../base/json-schema.ts';
import { VERSION_KEY, VERSION_SCHEMA } from '../../config/file-version.ts';
import { SETTING_NAMES, SETTINGS, type Setting } from '../../config/settings.ts';
import { checksSchema } from '../../queries/header/checks.ts';
import { querySchema } from '../../queries/header/fields.ts';
import { SOURCES_SCHEMA } from '../../sources/fields.ts';
import { NAMES_SCHEMA } from '../../sources/names.ts';

export const SCHEMAS: Readonly<Record<'project' | 'query' | 'checks', () => JsonSchema>> = {
  project: projectSchema,
  query: querySchema,
  checks: checksSchema,
};

function projectSchema(): JsonSchema {
  const settings = Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const row: Setting<unknown> = SETTINGS[name];
      return row.secret ? [] : [[name, { ...row.kind.schema, description: row.help }]];
    }),
  );
  return {
    $schema: DRAFT,
    title: 'quern.yaml',
    ...closed({
      [VERSION_KEY]: VERSION_SCHEMA,
      ...settings,
      sources: SOURCES_SCHEMA,
      names: NAMES_SCHEMA,
      profiles: {
        type: 'object',
        description: 'named sets of settings, chosen with --profile',
        additionalProperties: { anyOf: [closed(settings), { type: 'null' }] },
      },
    }),
  };
}
