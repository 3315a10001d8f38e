// A file of settings, whatever it is written in.
import type { Section } from '../fields/value-at.ts';

/** A file of settings, before anything is checked. The text of its source, if it has one, is blank where secrets are. */
export interface SettingsFile extends Section {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
}
