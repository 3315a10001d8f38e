// The table of commands, in the order in which people meet them: the name of each, its group and its line in the help, and the file that is loaded when it is used.
import type { Command } from 'commander';
import type { Parts } from '../parts.ts';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Its heading in the help. */
  readonly group: 'Ask' | 'Saved queries' | 'Data' | 'Trust your data' | 'Serve' | 'Set up';
  /** Leaves a command that is not for people out of the help. */
  readonly hidden?: true;
  readonly load: () => Promise<{ register(command: Command, parts: Parts): void }>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: 'query',
    group: 'Ask',
    summary: 'run SQL from the command line or standard input, and print its rows',
    load: () => import('./query/query.ts'),
  },
  { name: 'run', group: 'Ask', summary: 'run a saved query and print its rows', load: () => import('./run/run.ts') },
  { name: 'shell', group: 'Ask', summary: 'run SQL interactively, statement by statement', load: () => import('./shell.ts') },
  { name: 'explain', group: 'Ask', summary: 'print the ClickHouse SQL that a saved query becomes', load: () => import('./explain.ts') },
  { name: 'translate', group: 'Ask', summary: 'translate any BigQuery query to ClickHouse SQL', load: () => import('./translate.ts') },
  {
    name: 'init',
    group: 'Saved queries',
    summary: 'create a project: quern.yaml and a first saved query',
    load: () => import('./new/init.ts'),
  },
  { name: 'new', group: 'Saved queries', summary: 'create a saved query', load: () => import('./new/new.ts') },
  { name: 'list', group: 'Saved queries', summary: 'list the saved queries', load: () => import('./list.ts') },
  { name: 'show', group: 'Saved queries', summary: 'show a saved query: header, parameters, SQL', load: () => import('./show.ts') },
  {
    name: 'lint',
    group: 'Saved queries',
    summary: 'find errors and likely mistakes in saved queries, without running them',
    load: () => import('./lint.ts'),
  },
  { name: 'fmt', group: 'Saved queries', summary: 'format the SQL of saved queries', load: () => import('./fmt.ts') },
  {
    name: 'import',
    group: 'Saved queries',
    summary: 'import saved queries from Logflare endpoints or a folder',
    load: () => import('./import.ts'),
  },
  {
    name: 'load',
    group: 'Data',
    summary: 'load files into the embedded store: logs, and tables of your own',
    load: () => import('./load/load.ts'),
  },
  { name: 'loads', group: 'Data', summary: 'list loads, and undo one', load: () => import('./loads.ts') },
  { name: 'drop', group: 'Data', summary: 'remove a table of your own from the embedded store', load: () => import('./drop.ts') },
  { name: 'sources', group: 'Data', summary: 'list the sources: tables, layouts, columns', load: () => import('./sources.ts') },
  { name: 'check', group: 'Trust your data', summary: 'run checks on the rows of saved queries', load: () => import('./check.ts') },
  {
    name: 'verify',
    group: 'Trust your data',
    summary: 'compare the rows of a saved query with rows recorded elsewhere',
    load: () => import('./verify.ts'),
  },
  { name: 'serve', group: 'Serve', summary: 'serve saved queries over HTTP', load: () => import('./serve/serve.ts') },
  {
    name: 'keys',
    group: 'Serve',
    summary: 'create, list, rotate and revoke API keys for `quern serve`',
    load: () => import('./keys/keys.ts'),
  },
  { name: 'cache', group: 'Serve', summary: 'list, show, warm and clear cached results', load: () => import('./cache/cache.ts') },
  {
    name: 'mcp',
    group: 'Serve',
    summary: 'offer saved queries to agents as tools, over the Model Context Protocol',
    load: () => import('./mcp.ts'),
  },
  {
    name: 'lsp',
    group: 'Serve',
    summary: 'start the language server, for editing saved queries in an editor',
    load: () => import('./lsp.ts'),
  },
  {
    name: 'demo',
    group: 'Set up',
    summary: 'load sample logs and run the three queries that ship with quern',
    load: () => import('./demo.ts'),
  },
  { name: 'doctor', group: 'Set up', summary: 'check your setup, and suggest how to fix what is wrong', load: () => import('./doctor.ts') },
  {
    name: 'config',
    group: 'Set up',
    summary: 'show settings and where each value comes from; change your own',
    load: () => import('./config.ts'),
  },
  {
    name: 'trust',
    group: 'Set up',
    summary: 'trust a quern.yaml that someone else owns, or that has a password_command',
    load: () => import('./trust.ts'),
  },
  {
    name: 'completion',
    group: 'Set up',
    summary: 'print the completion script for bash, zsh or fish',
    load: () => import('./completion.ts'),
  },
  { name: '__agent', group: 'Serve', summary: 'do what an agent asks', hidden: true, load: () => import('./agent.ts') },
  { name: '__complete', group: 'Set up', summary: 'answer what completion asks', hidden: true, load: () => import('./complete.ts') },
];
