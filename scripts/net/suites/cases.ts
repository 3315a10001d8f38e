// The cases of the compliance measure, which not everybody has: a folder beside that of the project.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { translatedLine } from '../line.ts';
import { inTurn, root, type Suite } from '../suite.ts';

const FOLDER = join(root, '../shared/compliance/cases');

export const cases: Suite = {
  units: () =>
    !existsSync(FOLDER)
      ? []
      : readdirSync(FOLDER)
          .filter((name) => name.endsWith('.jsonl'))
          .map((name) => name.replace(/\.jsonl$/, '')),
  lines(unit) {
    const texts = readFileSync(join(FOLDER, `${unit}.jsonl`), 'utf8')
      .split('\n')
      .filter(Boolean);
    return inTurn(texts, (line) => translatedLine({ from: unit, text: JSON.parse(line).sql }, {}));
  },
};
