// The combinations of limits, places and doors that limits.test.ts leaves out.
import { limitsHold } from './limits-suite.ts';

limitsHold('others');
