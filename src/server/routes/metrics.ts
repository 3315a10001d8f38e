// /metrics, for Prometheus.
import type { Route } from './route.ts';

export const metrics: Route = {
  method: 'GET',
  path: '/metrics',
  access: 'overseer',
  open: (server) => async () => ({
    headers: { 'content-type': server.metrics.contentType, 'cache-control': 'no-store' },
    body: await server.metrics.text(),
  }),
};
