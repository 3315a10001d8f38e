// Colours for the words of reports, on a terminal that shows colours.
import { Chalk } from 'chalk';

interface Paint {
  readonly good: (text: string) => string;
  readonly caution: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

export function paint(colour: boolean): Paint {
  const chalk = new Chalk({ level: colour ? 1 : 0 });
  return { good: chalk.green, caution: chalk.yellow, bad: chalk.red.bold, strong: chalk.bold, faint: chalk.dim };
}
