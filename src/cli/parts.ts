// What a command can take; it names the parts that it needs.
import type { Services } from '../services.ts';
import type { Terminal } from './terminal.ts';

export interface Parts extends Services {
  readonly terminal: Terminal;
}
