// quern serve: serves saved queries over HTTP.
import type { Command } from 'commander';
import { collect, csvFormulasOption } from '../../arguments/flags.ts';
import type { Parts } from '../../parts.ts';

interface Flags {
  /** False after `--no-auth`. */
  readonly auth: boolean;
}

export function register(command: Command, parts: Parts): void {
  command
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <number>', 'port to listen on; 0 takes a free one (default: 4000)')
    .option('--compat <name>', 'answer in the way that clients of this product expect: logflare')
    .option('--bigquery', 'answer clients of BigQuery as well, through its REST API')
    .option('--tls-cert <file>', 'PEM file of the certificate, to speak TLS and HTTP/2; read again when it changes')
    .option('--tls-key <file>', 'PEM file of its private key')
    .option('--redis-url <url>', 'Redis or Valkey server through which several servers share results, rates and budgets')
    .option('--no-auth', 'answer without API keys, on this machine only')
    .option('--cors-origin <origin>', 'an origin whose web pages may read responses, or *; may be repeated', collect)
    .addOption(csvFormulasOption())
    .option('--audit-log <file>', 'write a line about each request to this file: who asked what, and when')
    .option('--log-level <level>', 'error, warn, info (default), debug or silent')
    .addHelpText(
      'after',
      `
Examples:
  quern keys create --name dashboard --scope 'usage.*' && quern serve
  quern serve --no-auth
  curl 'http://127.0.0.1:4000/api/endpoints/usage.api-counts?project=demo&interval=daily'

Endpoints are described at /openapi.json; /health, /ready and /metrics are for operators.`,
    )
    .action(async ({ auth }: Flags) => {
      const { startServer } = await import('./start-server.ts');
      await startServer(parts, auth);
    });
}
