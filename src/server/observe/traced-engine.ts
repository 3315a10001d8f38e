// An engine whose queries are spans of a trace, which a ClickHouse server goes on with.
import type { Engine } from '../../engine/engine.ts';
import { ending, type Span } from './span.ts';

/** The engine, as the run of a saved query asks it. `name`: of the saved query. */
export function tracedEngine(engine: Engine, outer: Span, name: string): Engine {
  const begin = (): Span => {
    const span = outer.begin(`SELECT ${name}`, 'client');
    span.note({ 'db.system.name': 'clickhouse', 'db.operation.name': 'SELECT', 'db.query.summary': `SELECT ${name}` });
    return span;
  };
  const { writeFile } = engine;
  return {
    ...engine,
    ...(writeFile === undefined ? {} : { writeFile: (query, target) => ending(begin(), () => writeFile(query, target)) }),
    execute(query) {
      const span = begin();
      const onSent = ({ queryId, host, port }: { readonly queryId: string; readonly host: string; readonly port: number }): void =>
        span.note({ 'clickhouse.query_id': queryId, 'server.address': host, 'server.port': port });
      return ending(span, async () => {
        const result = await engine.execute({ ...query, trace: { traceparent: span.traceparent, onSent } });
        const { rowsRead, bytesRead } = result.statistics;
        span.note({
          'db.response.returned_rows': result.rows.length,
          ...(rowsRead === undefined ? {} : { 'clickhouse.read_rows': rowsRead }),
          ...(bytesRead === undefined ? {} : { 'clickhouse.read_bytes': bytesRead }),
        });
        return result;
      });
    },
  };
}
