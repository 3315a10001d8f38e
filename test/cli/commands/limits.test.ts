// Each limit at each door, and given in each place; limits-stress.test.ts has all other combinations.
import { limitsHold, limitsHoldInTheLibrary } from './limits-suite.ts';

limitsHold('first');
limitsHoldInTheLibrary();
