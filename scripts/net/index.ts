// The entry of the net's bundle.
export { main } from './main.ts';
export { work } from './run-units.ts';
