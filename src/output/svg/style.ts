// The look of pictures outside of pages: colours for light and dark.

/** Colours by their purpose; `series` in the order of series. The console has the same. */
export const LIGHT = {
  paper: '#ffffff',
  raised: '#f6f7f8',
  ink: '#1c2126',
  soft: '#5a646e',
  line: '#dde1e4',
  edge: '#848e98',
  series: ['#1f6fb2', '#c4570c', '#2b7d4b', '#8a4fb0', '#b3325a', '#6d6a1c', '#1b7f86', '#6b5b53'],
} as const;

export const DARK = {
  paper: '#14181c',
  raised: '#1b2025',
  ink: '#e4e8eb',
  soft: '#9ba6b0',
  line: '#2d343b',
  edge: '#75808b',
  series: ['#6db3f2', '#f2a05c', '#7ccf98', '#c89bec', '#f08aa8', '#d0cb69', '#64cbd2', '#b9a79e'],
} as const;

interface Colours extends Readonly<Record<'paper' | 'raised' | 'ink' | 'soft' | 'line' | 'edge', string>> {
  readonly series: readonly string[];
}

export const FONT = 'system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif';

/** Returns the style sheet of a picture. With `dark` it follows the reader's colour scheme. */
export function chartStyle(dark: boolean): string {
  const shapes = [
    `text{font-family:${FONT};font-variant-numeric:tabular-nums}.ink,.soft{font-size:12px}`,
    '.name{font-size:13px;font-weight:600}.number{font-weight:600}.plot{fill:none;stroke-width:1.75;stroke-linejoin:round}',
    '.area{opacity:.12}.hit{opacity:0}.hit:hover{opacity:.08}.tile{stroke-width:1}',
  ].join('');
  const night = dark ? `@media (prefers-color-scheme:dark){${colours(DARK)}}` : '';
  return `${shapes}${colours(LIGHT)}${night}`;
}

function colours({ paper, raised, ink, soft, line, edge, series }: Colours): string {
  return [
    `.paper{fill:${paper}}.tile{fill:${raised};stroke:${line}}.ink,.name,.number,.hit{fill:${ink}}.soft{fill:${soft}}`,
    `.grid{stroke:${line}}.axis{stroke:${edge}}`,
    ...series.map((colour, i) => `.f${i}{fill:${colour}}.l${i}{stroke:${colour}}`),
  ].join('');
}
