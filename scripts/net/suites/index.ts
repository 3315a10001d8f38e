// The suites of the net; those that take longest come first.
import type { Suite } from '../suite.ts';
import { cases } from './cases.ts';
import { differential } from './differential.ts';
import { files } from './files.ts';
import { layouts } from './layouts.ts';
import { fuzz, hostile } from './made.ts';
import { collection, docs } from './projects.ts';
import { tests } from './tests.ts';

export const SUITES: Readonly<Record<string, Suite>> = { files, collection, docs, tests, differential, layouts, hostile, fuzz, cases };
