// The commands of the pages that a test cannot run, each with its reason. All others are run.
export interface CannotRun {
  readonly command: RegExp;
  readonly reason: string;
  /** Nor can those behind it in its block. */
  readonly block?: true;
}

export const cannotRun: readonly CannotRun[] = [
  { command: /^(npm (ci|cit|install)|git pull)\b/, reason: 'installs packages; .ci does so on a fresh clone' },
  { command: /^npm (test|run (check|fix|docs|dev))\b/, reason: 'runs the tests, or writes into the repository that is tested' },
  { command: /^quern (lsp|mcp)\b/, reason: 'speaks with a program over standard input until that ends' },
  {
    command: /^(npm run (vscode|playground)|code --install-extension)\b/,
    reason: 'writes into the repository that is tested, and asks an editor',
  },
  { command: /^npm run (bench|collection|compliance|differential|fuzz|net|pictures)\b/, reason: 'takes minutes' },
  { command: /\bdb\.example\b/, reason: 'asks a server of the reader’s', block: true },
  { command: /\bcache\.example\b|^redis-cli /, reason: 'asks a Redis of the reader’s' },
  { command: /\b(doctor|sources) --profile production|\bimport logflare\b/, reason: 'asks a server of the reader’s' },
  { command: /^npx -p openapi-typescript\b/, reason: 'downloads a generator' },
  { command: /^bq /, reason: 'asks BigQuery' },
  { command: /--tls-cert /, reason: 'reads a certificate of the reader’s' },
  { command: /--watch /, reason: 'draws on a terminal until Ctrl-C' },
  { command: /^(sudo|podman) /, reason: 'changes the machine' },
  { command: /\bcompletion zsh\b/, reason: 'has zsh’s own variables' },
  { command: /^quern (drop orders|loads undo 7)\b/, reason: 'names a table or a load that its reader has' },
  { command: /--from-last\b/, reason: 'is about the SQL that its reader has run' },
  { command: /\bcache show 3f2a\b/, reason: 'names a result that its reader has' },
];
