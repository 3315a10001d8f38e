// Texts that are made of a seed: random and damaged ones of the fuzz, and those that a caller could send to hold others up.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { translateSandboxed } from '../../../src/sql/index.ts';
import { FUZZ_OPTIONS } from '../../../test/sql/fuzz/check.ts';
import { textOf } from '../../../test/sql/fuzz/run.ts';
import { OPTIONS, SAVED, SHAPES } from '../../../test/sql/hostile/index.ts';
import { lineOf, translatedLine } from '../line.ts';
import { inTurn, root, type Suite } from '../suite.ts';

const FUZZ_SEEDS = 3000;
const SEEDS_OF_UNIT = 300;

export const fuzz: Suite = {
  units: () => Array.from({ length: FUZZ_SEEDS / SEEDS_OF_UNIT }, (_, at) => `seeds-from-${at * SEEDS_OF_UNIT + 1}`),
  lines(unit) {
    const first = Number(/\d+/.exec(unit)?.[0]);
    const folder = join(root, 'queries');
    const corpus = readdirSync(folder)
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8'));
    const seeds = Array.from({ length: SEEDS_OF_UNIT }, (_, at) => first + at);
    return inTurn(seeds, (seed) => translatedLine({ from: unit, text: textOf(seed, corpus) }, FUZZ_OPTIONS));
  },
};

/** Large enough to be of many parts, small enough for most of them to be translated. */
const HOSTILE_CHARACTERS = 1500;

export const hostile: Suite = {
  units: () => ['shapes'],
  lines: (unit) =>
    inTurn(Object.values(SHAPES), (shape) => {
      const text = shape(HOSTILE_CHARACTERS);
      return lineOf({ from: unit, text }, () => translateSandboxed(SAVED, text, OPTIONS));
    }),
};
