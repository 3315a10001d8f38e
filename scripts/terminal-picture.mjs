// What a terminal shows, as SVG that is readable on light and dark pages. Lines and blocks are drawn, so that no font can tear them apart.

const CELL = { width: 8.4, height: 18, baseline: 13 };
const PADDING = 14;

/** A change of style, or one character. */
const SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m|[^]`, 'gu');

/** Codes of SGR: the style they begin or end. */
const STYLES = {
  1: { bold: true },
  2: { dim: true },
  22: { bold: false, dim: false },
  36: { cyan: true },
  39: { cyan: false },
  0: { bold: false, dim: false, cyan: false },
};

/** From the middle of a cell: up, right, down, left. */
const LINES = {
  '─': 'RL',
  '│': 'UD',
  '┌': 'RD',
  '┐': 'DL',
  '└': 'UR',
  '┘': 'UL',
  '├': 'URD',
  '┤': 'UDL',
  '┬': 'RDL',
  '┴': 'URL',
  '┼': 'URDL',
};
const BLOCKS = '▁▂▃▄▅▆▇█';

/** `text` holds a command's output with the codes that it wrote to a terminal of `columns`. */
export function terminalPicture(text, columns) {
  const rows = text.replace(/\n$/, '').split('\n').map(readRow);
  const width = Math.ceil(columns * CELL.width + 2 * PADDING);
  const height = Math.ceil(rows.length * CELL.height + 2 * PADDING);
  const drawn = { line: new Map(), block: new Map() };
  const words = rows.flatMap((cells, y) => drawRow(cells, y, drawn));
  const plain = rows.map((cells) => cells.map(({ character }) => character).join('')).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<desc xml:space="preserve">${escaped(plain)}</desc>
<style>
svg{--page:#f6f8fa;--text:#1f2328;--quiet:#59636e;--colour:#1b7c83}
@media(prefers-color-scheme:dark){svg{--page:#151b23;--text:#f0f6fc;--quiet:#9198a1;--colour:#39c5cf}}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:var(--text);white-space:pre}
.bold{font-weight:700}.dim{fill:var(--quiet)}.cyan{fill:var(--colour)}.line{fill:none;stroke:var(--quiet)}
</style>
<rect width="${width}" height="${height}" rx="8" fill="var(--page)"/>
<g transform="translate(${PADDING} ${PADDING})">
${[...words, ...paths(drawn.line, 'line'), ...paths(drawn.block, '')].join('\n')}
</g>
</svg>
`;
}

function readRow(row) {
  const cells = [];
  let style = { bold: false, dim: false, cyan: false };
  for (const [part, codes] of row.matchAll(SEQUENCE)) {
    if (codes === undefined) cells.push({ character: part, style });
    else for (const code of codes.split(';')) style = { ...style, ...styleOf(Number(code)) };
  }
  return cells;
}

function styleOf(code) {
  const style = STYLES[code];
  if (style === undefined) throw new Error(`the picture knows no style ${code}: add it to scripts/terminal-picture.mjs`);
  return style;
}

/** Texts of a row; its lines and blocks go into `drawn`. */
function drawRow(cells, y, drawn) {
  return runsOf(cells).flatMap(({ x, name, text, kind }) => {
    if (kind === 'text') return [textAt(x, y, name, text)];
    const path = kind === 'line' ? lineAt(x, y, text) : blockAt(x, y, text);
    drawn[kind].set(name, (drawn[kind].get(name) ?? '') + path);
    return [];
  });
}

/** Characters side by side that are drawn at once. */
function runsOf(cells) {
  const runs = [];
  let run;
  for (const [x, { character, style }] of cells.entries()) {
    const name = Object.keys(style)
      .filter((each) => style[each])
      .join(' ');
    const kind = character in LINES ? 'line' : BLOCKS.includes(character) ? 'block' : 'text';
    // One space belongs to a text, two end it.
    const space = character === ' ' && (run?.kind !== 'text' || (cells[x + 1]?.character ?? ' ') === ' ');
    const alike = run?.text.startsWith(character) === true && (kind === 'block' || character === '─');
    const longer = run?.name === name && run.kind === kind && (kind === 'text' || alike);
    if (space) run = undefined;
    else if (longer) run.text += character;
    else {
      run = { x, name, text: character, kind };
      runs.push(run);
    }
  }
  return runs;
}

function textAt(x, y, name, text) {
  const place = `x="${round(x * CELL.width)}" y="${y * CELL.height + CELL.baseline}"`;
  const length = `textLength="${round([...text].length * CELL.width)}"`;
  return `<text ${place} ${length} lengthAdjust="spacingAndGlyphs"${classOf(name)}>${escaped(text)}</text>`;
}

function lineAt(x, y, text) {
  const [middleX, middleY] = [round((x + 0.5) * CELL.width), (y + 0.5) * CELL.height];
  if (text.startsWith('─')) return `M${round(x * CELL.width)} ${middleY}h${round(text.length * CELL.width)}`;
  const [left, right] = [`H${round(x * CELL.width)}`, `H${round((x + 1) * CELL.width)}`];
  const ends = { U: `V${y * CELL.height}`, D: `V${(y + 1) * CELL.height}`, L: left, R: right };
  return [...LINES[text]].map((direction) => `M${middleX} ${middleY}${ends[direction]}`).join('');
}

function blockAt(x, y, text) {
  const height = ((BLOCKS.indexOf(text[0]) + 1) * CELL.height) / 8;
  return `M${round(x * CELL.width)} ${(y + 1) * CELL.height}v-${height}h${round(text.length * CELL.width)}v${height}z`;
}

const paths = (drawn, kind) =>
  [...drawn].map(([name, path]) => `<path${classOf(`${kind} ${kind === 'line' ? '' : name}`.trim())} d="${path}"/>`);
const classOf = (name) => (name === '' ? '' : ` class="${name}"`);
const round = (number) => Math.round(number * 10) / 10;
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
