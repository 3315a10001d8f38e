// The filters that stored-value.test.ts leaves out.
import { storedValuesHold } from './stored-value-suite.ts';

storedValuesHold('others');
