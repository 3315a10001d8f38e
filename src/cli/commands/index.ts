// The table of commands: the name of each, its line in the help, and the file that is loaded when it is used.
import type { Command } from 'commander';
import type { Parts } from '../parts.ts';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Leaves a command that is not for people out of the help. */
  readonly hidden?: true;
  readonly load: () => Promise<{ register(command: Command, parts: Parts): void }>;
}

export const commands: readonly CommandEntry[] = [
  { name: 'run', summary: 'run a saved query and print its rows', load: () => import('./run/run.ts') },
  { name: 'query', summary: 'run SQL from the command line or standard input, and print its rows', load: () => import('./query/query.ts') },
  { name: 'shell', summary: 'run SQL interactively, statement by statement', load: () => import('./shell.ts') },
  { name: 'list', summary: 'list the saved queries', load: () => import('./list.ts') },
  { name: 'show', summary: 'show a saved query: header, parameters, SQL', load: () => import('./show.ts') },
  { name: 'explain', summary: 'print the ClickHouse SQL that a saved query becomes', load: () => import('./explain.ts') },
  { name: 'init', summary: 'create a project: quern.yaml and a first saved query', load: () => import('./new/init.ts') },
  { name: 'new', summary: 'create a saved query', load: () => import('./new/new.ts') },
  { name: 'lint', summary: 'find errors and likely mistakes in saved queries, without running them', load: () => import('./lint.ts') },
  { name: 'fmt', summary: 'format the SQL of saved queries', load: () => import('./fmt.ts') },
  { name: 'translate', summary: 'translate any BigQuery query to ClickHouse SQL', load: () => import('./translate.ts') },
  { name: 'check', summary: 'run checks on the rows of saved queries', load: () => import('./check.ts') },
  { name: 'import', summary: 'import saved queries from Logflare endpoints or a folder', load: () => import('./import.ts') },
  { name: 'verify', summary: 'compare the rows of a saved query with rows recorded elsewhere', load: () => import('./verify.ts') },
  { name: 'sources', summary: 'list the sources: tables, layouts, columns', load: () => import('./sources.ts') },
  { name: 'doctor', summary: 'check your setup, and suggest how to fix what is wrong', load: () => import('./doctor.ts') },
  { name: 'load', summary: 'load files into the embedded store: logs, and tables of your own', load: () => import('./load/load.ts') },
  { name: 'loads', summary: 'list loads, and undo one', load: () => import('./loads.ts') },
  { name: 'drop', summary: 'remove a table of your own from the embedded store', load: () => import('./drop.ts') },
  { name: 'serve', summary: 'serve saved queries over HTTP', load: () => import('./serve/serve.ts') },
  { name: 'keys', summary: 'create, list, rotate and revoke API keys for `quern serve`', load: () => import('./keys/keys.ts') },
  { name: 'cache', summary: 'list, show, warm and clear cached results', load: () => import('./cache/cache.ts') },
  { name: 'config', summary: 'show settings and where each value comes from; change your own', load: () => import('./config.ts') },
  {
    name: 'trust',
    summary: 'trust a quern.yaml that someone else owns, or that has a password_command',
    load: () => import('./trust.ts'),
  },
  { name: 'lsp', summary: 'start the language server, for editing saved queries in an editor', load: () => import('./lsp.ts') },
  { name: 'mcp', summary: 'offer saved queries to agents as tools, over the Model Context Protocol', load: () => import('./mcp.ts') },
  { name: 'completion', summary: 'print the completion script for bash, zsh or fish', load: () => import('./completion.ts') },
  { name: 'demo', summary: 'load sample logs and run the three queries that ship with quern', load: () => import('./demo.ts') },
  { name: '__complete', summary: 'answer what completion asks', hidden: true, load: () => import('./complete.ts') },
];
