// The table of routes: everything that the server answers to.
import { consoleRoutes } from './console.ts';
import { consoleComplete } from './console-complete.ts';
import { consoleFiles } from './console-files.ts';
import { consoleFormat } from './console-format.ts';
import { consoleTables } from './console-tables.ts';
import { endpointRoutes } from './endpoints.ts';
import { health, ready } from './health.ts';
import { mcp } from './mcp.ts';
import { metrics } from './metrics.ts';
import { openApi } from './openapi.ts';
import type { Route } from './route.ts';

export const ROUTES: readonly Route[] = [
  ...endpointRoutes,
  health,
  ready,
  metrics,
  openApi,
  mcp,
  ...consoleRoutes,
  consoleComplete,
  consoleFormat,
  consoleTables,
  ...consoleFiles,
];
