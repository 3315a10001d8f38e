// The extension: starts `quern lsp` in the workspace, and runs queries in a terminal.
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

async function start() {
  const [command, ...args] = vscode.workspace.getConfiguration('quern').get('command');
  const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  // On Windows npx is a script, which only a shell finds.
  const options = { cwd, shell: process.platform === 'win32' };
  client = new LanguageClient(
    'quern',
    'quern',
    { command, args: [...args, 'lsp', '--stdio'], options },
    {
      documentSelector: [{ language: 'sql' }],
      // It is not tried again, and what went wrong is told below.
      initializationFailedHandler: () => false,
      middleware: { provideCompletionItem: withArguments },
    },
  );
  try {
    await client.start();
  } catch {
    tellHowToStart([command, ...args].join(' '));
  }
}

/** Behind a function that was chosen, its arguments are shown as if its bracket had been typed. */
async function withArguments(document, position, context, token, next) {
  const found = await next(document, position, context, token);
  for (const item of Array.isArray(found) ? found : (found?.items ?? [])) {
    if (item.kind === vscode.CompletionItemKind.Function) item.command = { title: '', command: 'editor.action.triggerParameterHints' };
  }
  return found;
}

/** What VS Code says of a server that ends at once does not help; what it printed is in the output of quern. */
async function tellHowToStart(command) {
  const [output, settings] = ['Show Output', 'Open Settings'];
  const how = 'Install quern in the project (npm install quern), or say in the setting quern.command how it is started.';
  const chosen = await vscode.window.showErrorMessage(`${command} lsp does not start. ${how}`, output, settings);
  if (chosen === output) client.outputChannel.show();
  if (chosen === settings) await vscode.commands.executeCommand('workbench.action.openSettings', 'quern.command');
}

function run(place) {
  const target = place ?? vscode.window.activeTextEditor?.document.fileName;
  if (target === undefined) return;
  const terminal = vscode.window.terminals.find(({ name }) => name === 'quern') ?? vscode.window.createTerminal('quern');
  terminal.show(true);
  const words = [...vscode.workspace.getConfiguration('quern').get('command'), 'run', target];
  terminal.sendText(words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' '));
}

exports.activate = async ({ subscriptions }) => {
  subscriptions.push(
    vscode.commands.registerCommand('quern.run', run),
    vscode.commands.registerCommand('quern.restart', async () => {
      await client?.stop();
      await start();
    }),
  );
  await start();
};

exports.deactivate = () => client?.stop();
