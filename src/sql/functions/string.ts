// X
import type { Family } from './define.ts';

export const string: Family = {};
