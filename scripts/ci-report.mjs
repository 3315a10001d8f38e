// A reporter of vitest that writes what scripts/ci-tests.mjs needs, as JSON, into the file that CI_REPORT names: of each file of tests its seconds,
// how many of its tests passed and failed, and for each failure a few lines that say what it was.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const MOST_DIFF_LINES = 20;

/** The first line of the message, where it was thrown, and the beginning of what was expected and received. */
function described({ message = '', diff = '', stacks: [at] = [] }) {
  const lines = stripVTControlCharacters(diff).split('\n').filter(Boolean);
  const left = lines.length - MOST_DIFF_LINES;
  return [
    stripVTControlCharacters(message).split('\n')[0],
    ...(at === undefined ? [] : [`at ${relative(process.cwd(), at.file)}:${at.line}:${at.column}`]),
    ...lines.slice(0, MOST_DIFF_LINES),
    ...(left > 0 ? [`… ${left} more lines`] : []),
  ].map((line) => `    ${line}`);
}

const failure = (title, errors) => [`  ${title}`, ...errors.flatMap(described)];

function result(module) {
  const tests = [...module.children.allTests()];
  const failed = tests.filter((test) => test.result().state === 'failed');
  // An error outside of tests: the file could not be loaded, or a hook of it or of one of its groups failed.
  const outside = [module, ...module.children.allSuites()].filter((group) => group.errors().length > 0);
  const failures = [
    ...outside.map((group) => failure(group.fullName ?? '(the file)', group.errors())),
    ...failed.map((test) => failure(test.fullName, test.result().errors)),
  ];
  return {
    name: relative(process.cwd(), module.moduleId),
    seconds: module.diagnostic().duration / 1000,
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failures,
  };
}

export default class {
  onTestRunEnd(modules, unhandled) {
    const files = modules.map(result);
    if (unhandled.length > 0)
      files.push({ name: '(no file)', seconds: 0, passed: 0, failures: [failure('outside of all tests', unhandled)] });
    writeFileSync(process.env.CI_REPORT, JSON.stringify(files));
  }
}
