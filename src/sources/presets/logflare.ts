// The table in which Logflare stores events in ClickHouse. https://github.com/Logflare/logflare
import { INT64 } from '../../sql/base/types.ts';
import type { Preset } from './preset.ts';

export const LOGFLARE: Preset = {
  name: 'logflare',
  columns: [
    { name: 'id', type: 'UUID' },
    { name: 'source_name', type: 'LowCardinality(String)' },
    { name: 'project', type: 'String' },
    { name: 'event_message', type: 'String' },
    { name: 'severity_text', type: 'LowCardinality(String)' },
    { name: 'log_attributes', type: 'Map(String, String)' },
    { name: 'timestamp', type: 'DateTime64(9)' },
  ],
  // Events come under the names that the services send to.
  told: { by: 'source_name', as: ({ name, aliases: [sent = name] }) => sent },
  attributes: 'log_attributes',
  types: { pipeline_id: INT64 },
};
