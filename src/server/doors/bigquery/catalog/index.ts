// The catalog of the door: what clients read of projects, datasets, tables and routines.
import type { CatalogHands, CatalogRoute } from './hands.ts';
import { projectRoutes } from './projects.ts';
import { routineRoutes } from './routines.ts';
import { tableRoutes } from './tables.ts';

export const catalogRoutes = (hands: CatalogHands): readonly CatalogRoute[] => [
  ...projectRoutes(hands),
  ...tableRoutes(hands),
  ...routineRoutes(hands),
];
