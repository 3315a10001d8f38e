// Prints medians beside their budgets.

const amount = (value, unit = 'ms') => `${value.toFixed(Math.abs(value) < 10 ? 2 : 0)} ${unit}`;

export function printBudgets(rows) {
  const cells = rows.map(({ what, ours, reference, than, budget, budgetMs, unit }) => {
    const ratio = reference === undefined ? undefined : ours / reference;
    const met = budget === undefined ? ours <= budgetMs : ratio <= budget;
    return [
      what,
      amount(ours, unit),
      reference === undefined ? '' : `${than} ${amount(reference, unit)}`,
      ratio === undefined ? '' : ratio.toFixed(2),
      budget === undefined ? amount(budgetMs, unit) : budget.toFixed(2),
      met ? 'met' : 'missed',
    ];
  });
  const header = ['what', 'median', 'beside', 'ratio', 'budget', ''];
  const widths = header.map((title, i) => Math.max(title.length, ...cells.map((line) => line[i].length)));
  for (const line of [header, ...cells])
    console.log(
      line
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    );
}
