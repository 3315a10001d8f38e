// The workflow that `quern init --ci github` writes: a job that runs the checks of the project.
import { join, relative, sep } from 'node:path';
import { repositoryRoot } from '../../../files/repository.ts';
import { packageVersion, repositoryAddress } from '../../../package-file.ts';

const NAME = join('.github', 'workflows', 'quern.yml');

/** Its path, relative to `folder`, and its text. GitHub reads workflows at the top of a repository only. */
export function workflowFile(folder: string): readonly [string, string] {
  const root = repositoryRoot(folder) ?? folder;
  return [relative(folder, join(root, NAME)), workflowText(relative(root, folder).split(sep).join('/'))];
}

/** `project` is the folder of the project below the top of the repository. */
const workflowText = (project: string): string => `# Looks over the saved queries and runs their checks: on every change, and every night.
name: quern
on:
  pull_request:
  push:
    branches: [main]
  schedule:
    - cron: '17 4 * * *'
permissions:
  contents: read
jobs:
  quern:
    runs-on: ubuntu-latest
    timeout-minutes: 15
${project === '' ? '' : `    defaults:\n      run:\n        working-directory: ${JSON.stringify(project)}\n`}${repositoryAddress() === undefined ? '    # Replace OWNER below by the owner of the repository that you have quern from.\n' : ''}    # The embedded engine starts empty: load a file in a step before the checks, such as
    #   - run: quern load edge_logs events.ndjson
    # or let the queries run on a server:
    # env:
    #   CLICKHOUSE_URL: https://clickhouse.example.com:8443
    #   CLICKHOUSE_USER: reader
    #   CLICKHOUSE_PASSWORD: \${{ secrets.CLICKHOUSE_PASSWORD }}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm install --global git+${repositoryAddress() ?? 'https://github.com/OWNER/quern.git'}#v${packageVersion()}
      - run: quern lint
      - run: quern fmt --check
      - run: quern check --reporter terminal --reporter github --reporter markdown="$GITHUB_STEP_SUMMARY"
`;
