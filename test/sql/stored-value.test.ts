// A third of the filters on columns of types that are none of BigQuery's; stored-value-stress.test.ts has the others.
import { storedValuesHold } from './stored-value-suite.ts';

storedValuesHold('first');
