// Prints the measures of queries, a line for each case as soon as it is known, and which budgets it misses.

/** What a layout may cost beside hand-written SQL. */
const BUDGETS = {
  text: { time: 1.5, slackMs: 0, memory: Infinity },
  others: { time: 1.25, slackMs: 5, memory: 1.5 },
};

/** A one-row subquery, from which a constant of the query comes, counts as a row that is read. */
const ROWS_OF_CONSTANTS = 10;

/** What of the budget is missed; none when all is met. `clock`: `ms`, or `cpuMs`, which other work on the machine does not disturb. */
export function missedBudgets(layout, { quern, hand }, clock) {
  const { time, slackMs, memory } = BUDGETS[layout] ?? BUDGETS.others;
  return [
    ...(quern[clock] > Math.max(hand[clock] * time, hand[clock] + slackMs) ? [clock === 'ms' ? 'time' : 'CPU'] : []),
    ...(quern.memory > hand.memory * memory ? ['memory'] : []),
    ...(quern.rowsRead > hand.rowsRead + ROWS_OF_CONSTANTS ? ['rows read'] : []),
  ];
}

const ms = (value) => value.toFixed(value < 100 ? 1 : 0);
const mega = (value) => (value / 1e6).toFixed(value < 1e8 ? 1 : 0);
const times = (value) => (Number.isFinite(value) ? value.toFixed(value < 10 ? 2 : 0) : '');

const COLUMNS = [
  ['layout', 12, ({ layout }) => layout],
  ['query', 26, ({ shipped }) => shipped.query],
  ['', 10, ({ shipped }) => shipped.label],
  ...group('ms', 8, (run) => ms(run.ms)),
  ['q/h', 5, ({ quern, hand }) => times(quern.ms / hand.ms)],
  ...group('CPU ms', 8, (run) => ms(run.cpuMs)).slice(0, 2),
  ['q/h', 5, ({ quern, hand }) => times(quern.cpuMs / hand.cpuMs)],
  ['m/q', 5, ({ quern, mechanical }) => (mechanical === undefined ? '' : times(mechanical.cpuMs / quern.cpuMs))],
  ...group('k rows read', 7, (run) => (run.rowsRead / 1000).toFixed(0)),
  ...group('MB read', 7, (run) => mega(run.bytesRead)),
  ...group('MB memory', 7, (run) => mega(run.memory)),
  ['q/h', 5, ({ quern, hand }) => times(quern.memory / hand.memory)],
  ['rows', 9, ({ same, rows }) => (same.length > 0 ? 'DIFFERENT' : rows === 0 ? 'none' : 'same')],
  ['budget', 6, missed],
];

function missed({ layout, ...runs }) {
  return [...new Set([...missedBudgets(layout, runs, 'ms'), ...missedBudgets(layout, runs, 'cpuMs')])].join(', ') || 'met';
}

function group(title, width, cell) {
  return ['quern', 'hand', 'mechanical'].map((which, i) => [
    i === 0 ? 'quern' : which.slice(0, 4),
    width,
    (measured) => (measured[which] === undefined ? '' : cell(measured[which])),
    title,
  ]);
}

const isText = (i) => i < 3 || i >= COLUMNS.length - 2;
const line = (cells) =>
  cells
    .map((cell, i) => (isText(i) ? cell.padEnd(COLUMNS[i][1]) : cell.padStart(COLUMNS[i][1])))
    .join(' ')
    .trimEnd();

export function header() {
  const titles = COLUMNS.map(([, , , title], i) => (title !== undefined && COLUMNS[i - 1]?.[3] !== title ? title : ''));
  // A title of a group runs over the group's columns, which are empty in this line.
  let above = '';
  let at = 0;
  for (const [i, [, width]] of COLUMNS.entries()) {
    if (titles[i] !== '') above = above.padEnd(at + width - 5) + titles[i];
    at += width + 1;
  }
  return `${above}\n${line(COLUMNS.map(([name]) => name))}`;
}

export const resultLine = (measured) => line(COLUMNS.map(([, , cell]) => cell(measured)));
