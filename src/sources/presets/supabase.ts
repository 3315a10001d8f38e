// The table `logs` of a Supabase project, as its log explorer shows it. https://supabase.com/docs/guides/telemetry/logs
import { INT64 } from '../../sql/base/types.ts';
import type { Preset } from './preset.ts';

export const SUPABASE: Preset = {
  name: 'supabase',
  table: 'logs',
  columns: [
    { name: 'id', type: 'String' },
    { name: 'timestamp', type: "DateTime64(6, 'UTC')" },
    { name: 'event_message', type: 'String' },
    { name: 'severity_text', type: 'String' },
    { name: 'source', type: 'String' },
    { name: 'log_attributes', type: 'Map(String, String)' },
  ],
  told: { by: 'source', as: ({ name }) => name },
  attributes: 'log_attributes',
  types: { pipeline_id: INT64 },
};
