// Texts that a caller could send to hold others up, by what they are made of; and the tables that they read.
import { embeddedSources } from '../../../src/sources/log/log-catalog.ts';
import { INT64, STRING } from '../../../src/sql/base/types.ts';
import type { TranslateOptions } from '../../../src/sql/translation.ts';
import { EXPRESSIONS } from './expressions.ts';
import { PIPES } from './pipes.ts';
import { QUERIES } from './queries.ts';
import type { Shape } from './shape.ts';
import { TEXTS } from './texts.ts';

export const SHAPES: Readonly<Record<string, Shape>> = { ...PIPES, ...EXPRESSIONS, ...QUERIES, ...TEXTS };

/** The longest that a caller may send. */
export const LONGEST = 32_768;

/** A saved query with a sandbox over log records. */
export const SAVED = `with logs as (select id, project, timestamp, event_message, metadata from edge_logs where project = @project),
numbers as (select n from unnest([1, 2, 3]) as n where n > @day), lists as (select array_agg(n) as list from numbers) select 1`;

export const OPTIONS: TranslateOptions = {
  sources: embeddedSources({ sources: {} }),
  parameters: { project: STRING, day: INT64 },
  instant: 'parameter',
  bytes: 'text',
};
