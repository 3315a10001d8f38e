// A page that loads nothing from elsewhere: no script, no font, no picture.

import { chartStyle, DARK, FONT, LIGHT } from '../svg/style.ts';
import { escaped } from '../svg/text.ts';
import { visible } from '../visible.ts';

/** Escapes text of the program or of data for HTML. */
export const words = (text: string): string => escaped(visible(text));

interface Colours extends Record<'paper' | 'raised' | 'ink' | 'soft' | 'line' | 'good' | 'bad' | 'warn', string> {}

const light: Colours = { ...LIGHT, good: '#1d6b3c', bad: '#a62626', warn: '#7a5200' };
const dark: Colours = { ...DARK, good: '#86cfa0', bad: '#f19a92', warn: '#e8bf6a' };

const variables = (colours: Colours): string =>
  `:root{${(['paper', 'raised', 'ink', 'soft', 'line', 'good', 'bad', 'warn'] as const).map((name) => `--${name}:${colours[name]}`).join(';')}}`;

const STYLE = `
:root{color-scheme:light dark}
${variables(light)}
@media (prefers-color-scheme:dark){${variables(dark)}}
*{box-sizing:border-box}
body{margin:0 auto;padding:24px 16px 48px;max-width:1120px;font:15px/1.5 ${FONT};background:var(--paper);color:var(--ink)}
h1{margin:0 0 4px;font-size:22px;line-height:1.25;overflow-wrap:anywhere}
h2{margin:28px 0 8px;font-size:17px;overflow-wrap:anywhere}
p{margin:4px 0}
.quiet{color:var(--soft)}
.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}
.chart{overflow-x:auto;margin:20px 0}
.quern-chart{display:block;width:100%;min-width:620px;height:auto}
.scroll{overflow-x:auto;margin:16px 0;border:1px solid var(--line);border-radius:6px}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{padding:5px 10px;text-align:left;vertical-align:top;border-top:1px solid var(--line)}
td{max-width:36em;overflow-wrap:anywhere}
thead th{border-top:0;background:var(--raised);white-space:nowrap;position:sticky;top:0}
.count{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.moment{font-variant-numeric:tabular-nums;white-space:nowrap}
code,td.json{font:13px/1.5 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media print{.scroll{overflow:visible}thead th{position:static}}
${chartStyle(true)}`;

/** `body` is HTML. */
export function* page(title: string, body: Iterable<string>): Iterable<string> {
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${words(title)}</title>
<style>${STYLE}</style>
</head>
<body>
`;
  yield* body;
  yield '</body>\n</html>\n';
}
