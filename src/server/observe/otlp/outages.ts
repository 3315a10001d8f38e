// Tells the log that a collector takes nothing: once when it begins, and once when it is over. Requests never hear of it.
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { Logger } from '../log.ts';

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/** The same exporter. `what`: traces or metrics. */
export function tellOutages<Items, E extends Exporter<Items>>(
  exporter: E,
  what: string,
  place: string,
  log: Pick<Logger, 'info' | 'warn'>,
): E {
  const send = exporter.export.bind(exporter);
  let out = false;
  exporter.export = (items, done) =>
    send(items, (result) => {
      const failed = result.code !== ExportResultCode.SUCCESS;
      if (failed && !out) log.warn({ collector: place, error: { message: reasonOf(result.error) } }, `${what} cannot be sent`);
      if (!failed && out) log.info({ collector: place }, `${what} are sent again`);
      out = failed;
      done(result);
    });
  return exporter;
}

/** A collector's refusal has a status, and a text that is left out: it may repeat what it was sent. */
function reasonOf(error: (Error & { readonly code?: number | string }) | undefined): string {
  if (error === undefined) return 'for no known reason';
  return typeof error.code === 'number' ? `it answers with ${error.code} ${error.message}` : error.message || String(error.code);
}
