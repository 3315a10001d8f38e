// Colours for the words of reports, on a terminal that shows colours.
import { Chalk } from 'chalk';

export function paint(colour: boolean) {
  const chalk = new Chalk({ level: colour ? 1 : 0 });
  return { good: chalk.green, caution: chalk.yellow, bad: chalk.red.bold, strong: chalk.bold, faint: chalk.dim };
}
