// Every command: its name, its line in the help, and the file that is loaded when it is used.
import type { Command } from 'commander';
import type { Parts } from '../parts.ts';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** Not for people: left out of the help. */
  readonly hidden?: true;
  readonly load: () => Promise<{ register(command: Command, parts: Parts): void }>;
}

export const commands: readonly CommandEntry[] = [
  { name: 'run', summary: 'run a saved query and print its rows', load: () => import('./run.ts') },
  { name: 'query', summary: 'run SQL given on the line, or on standard input, and print its rows', load: () => import('./query.ts') },
  { name: 'shell', summary: 'run SQL that is typed line by line', load: () => import('./shell.ts') },
  { name: 'list', summary: 'list the saved queries', load: () => import('./list.ts') },
  { name: 'show', summary: 'show a saved query: header, parameters, SQL', load: () => import('./show.ts') },
  { name: 'explain', summary: 'print the ClickHouse SQL that a saved query becomes', load: () => import('./explain.ts') },
  { name: 'init', summary: 'write a project to begin with: quern.yaml and a first saved query', load: () => import('./init.ts') },
  { name: 'new', summary: 'write a saved query to begin with', load: () => import('./new.ts') },
  { name: 'lint', summary: 'find errors and likely mistakes in saved queries, without running them', load: () => import('./lint.ts') },
  { name: 'fmt', summary: 'format the SQL of saved queries', load: () => import('./fmt.ts') },
  { name: 'translate', summary: 'print the ClickHouse SQL of any BigQuery query', load: () => import('./translate.ts') },
  { name: 'check', summary: 'check that the rows of saved queries are as they should be', load: () => import('./check.ts') },
  { name: 'import', summary: 'import saved queries from Logflare endpoints or a folder', load: () => import('./import.ts') },
  { name: 'verify', summary: 'compare the rows of a saved query with rows recorded elsewhere', load: () => import('./verify.ts') },
  { name: 'sources', summary: 'list the sources: tables, layouts, columns', load: () => import('./sources.ts') },
  { name: 'doctor', summary: 'check the set-up, and say what to do where something is wrong', load: () => import('./doctor.ts') },
  { name: 'load', summary: 'load files into the embedded store: logs, and tables of your own', load: () => import('./load.ts') },
  { name: 'loads', summary: 'list what was loaded, and take a load back', load: () => import('./loads.ts') },
  { name: 'drop', summary: 'remove a table of your own from the embedded store', load: () => import('./drop.ts') },
  { name: 'serve', summary: 'answer saved queries over HTTP', load: () => import('./serve.ts') },
  { name: 'keys', summary: 'make, list, rotate and revoke API keys of `quern serve`', load: () => import('./keys.ts') },
  { name: 'cache', summary: 'list, show and clear cached results', load: () => import('./cache.ts') },
  { name: 'config', summary: 'show settings and where each value comes from; change your own', load: () => import('./config.ts') },
  {
    name: 'trust',
    summary: 'trust a quern.yaml that somebody else owns, or that has a password_command',
    load: () => import('./trust.ts'),
  },
  { name: 'lsp', summary: 'answer an editor about saved queries as they are written: the language server', load: () => import('./lsp.ts') },
  { name: 'mcp', summary: 'offer saved queries to agents as tools, over the Model Context Protocol', load: () => import('./mcp.ts') },
  { name: 'completion', summary: 'print the script that completes words in bash, zsh or fish', load: () => import('./completion.ts') },
  { name: 'demo', summary: 'load a sample and run the three queries that ship', load: () => import('./demo.ts') },
  { name: '__complete', summary: 'answer what completion asks', hidden: true, load: () => import('./complete.ts') },
];
