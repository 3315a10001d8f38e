// Charts as pictures: svg, and what they have in common with png and html.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import type { QueryResult } from '../../src/base/result.ts';
import { drawingOf } from '../../src/output/chart/drawing.ts';
import { loadFormat } from '../../src/output/index.ts';
import { pictureOf } from '../../src/output/svg/picture.ts';
import { DARK, LIGHT } from '../../src/output/svg/style.ts';
import { svg } from '../../src/output/svg/svg.ts';
import { fitted, textWidth } from '../../src/output/svg/text.ts';
import { awkward, result, text } from './sample-result.ts';

const layout = { width: undefined, colour: false };
const hour = (h: number) => `2026-01-02T${String(h).padStart(2, '0')}:00:00Z`;
const HOSTILE = 'a ]]> & <script>"c\' \u0000\u001b[31m\u202e\ufffe\ud800';

/** All texts of an element's kind, as a parser reads them. */
function textsOf(xml: string, kind: 'text' | 'title'): readonly string[] {
  expect(XMLValidator.validate(xml)).toBe(true);
  const found: string[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    else if (typeof node === 'object' && node !== null) {
      for (const [name, inner] of Object.entries(node)) {
        if (name === kind && Array.isArray(inner))
          found.push(inner.map((one) => String((one as Record<string, unknown>)['#text'] ?? '')).join(''));
        else walk(inner);
      }
    }
  };
  walk(new XMLParser({ preserveOrder: true, trimValues: false, parseTagValue: false }).parse(xml));
  return found;
}

const counts = result({ timestamp: 'TIMESTAMP', requests: 'INT64', took_ms: 'FLOAT64' }, [
  [hour(0), 4, 1500],
  [hour(1), 8, 3000],
  [hour(3), 2, null],
]);

describe('numbers over time', () => {
  test('are lines in a panel for each unit, with gaps, round labels, and every number for who points at it', () => {
    const drawn = text(svg(counts, layout));
    // biome-ignore format: a line for each panel
    expect(textsOf(drawn, 'text')).toEqual([
      'requests', '0', '2', '4', '6', '8',
      'took_ms', '0', '1s', '2s', '3s',
      '01-02', '01:00', '02:00', '03:00',
      '2026-01-02 00:00 to 03:00 UTC, 1h each',
    ]);
    expect(textsOf(drawn, 'title')).toEqual([
      '2026-01-02 00:00 UTC\nrequests: 4\ntook_ms: 1,500ms',
      '2026-01-02 01:00 UTC\nrequests: 8\ntook_ms: 3,000ms',
      '2026-01-02 03:00 UTC\nrequests: 2\ntook_ms: –',
    ]);
    // Two times are joined; the third stands alone, behind the hour that is missing.
    expect([...drawn.matchAll(/class="plot l\d" d="([^"]*)"/g)].map(([, path = '']) => path.split('L').length)).toEqual([2, 2]);
  });

  test('are columns where bars are asked for, one panel for each', () => {
    const drawn = text(svg(counts, { ...layout, chart: { kind: 'bar' } }));
    expect(drawn).not.toContain('class="plot');
    expect(textsOf(drawn, 'text').filter((one) => one === 'requests' || one === 'took_ms')).toHaveLength(2);
  });

  test('are told apart by factors on a logarithmic scale, with what has no logarithm on a row of its own', () => {
    const rows = result({ timestamp: 'TIMESTAMP', n: 'INT64' }, [
      [hour(0), 0],
      [hour(1), 3],
      [hour(2), 1000],
      [hour(3), 100],
    ]);
    const { markup, summary } = pictureOf(drawingOf(rows, {}), { width: 400, legend: false, hints: false, log: true });
    expect(summary).toMatch(/^Lines over time on a logarithmic scale, /);
    expect([...markup.matchAll(/<text[^>]*text-anchor="end"[^>]*>([^<]*)/g)].map(([, label]) => label)).toEqual([
      '0',
      '1',
      '10',
      '100',
      '1000',
    ]);
    const heights = [...markup.matchAll(/<circle[^>]*cy="([^"]*)"/g)].map(([, y]) => Number(y));
    const [floor = 0, , top = 0, below = 0] = heights;
    expect(Math.round(((floor - below) / (floor - top)) * 100)).toBe(75);
    const none = pictureOf(
      drawingOf(
        result({ timestamp: 'TIMESTAMP', n: 'INT64' }, [
          [hour(0), -1],
          [hour(1), 0],
        ]),
        {},
      ),
      {
        width: 400,
        legend: false,
        hints: false,
        log: true,
      },
    );
    expect(none.markup).not.toMatch(/NaN|Infinity/);
    expect(none.markup).toContain('>≤ 0</text>');
  });

  test('of labels that repeat are lines named by the label, below the name of the column', () => {
    const rows = [0, 1].flatMap((h) => ['GET', 'POST'].map((method) => [hour(h), method, h + method.length]));
    expect(textsOf(text(svg(result({ t: 'TIMESTAMP', method: 'STRING', n_bytes: 'INT64' }, rows), layout)), 'text').slice(0, 3)).toEqual([
      'n_bytes',
      'GET',
      'POST',
    ]);
  });

  test('that are many make a picture of bounded size, with the extremes that they have', () => {
    const rows = Array.from({ length: 50_000 }, (_, i) => [
      new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString(),
      i === 30_000 ? 99 : i % 7,
    ]);
    const drawn = text(svg(result({ t: 'TIMESTAMP', n: 'INT64' }, rows), layout));
    expect(drawn.length).toBeLessThan(60_000);
    const heights = [...drawn.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
    const bottom = Math.max(...heights);
    expect((bottom - Math.min(...heights)) / 280).toBeCloseTo(0.99, 2);
  });
});

test('numbers by label are bars beside each other, as long as their numbers', () => {
  const drawn = text(
    svg(
      result({ method: 'STRING', n: 'INT64', errors: 'INT64' }, [
        ['GET', 400, 100],
        ['POST', 200, null],
        [null, 0, -50],
      ]),
      layout,
    ),
  );
  expect(textsOf(drawn, 'text')).toEqual(['GET', 'POST', 'NULL', 'n', '400', '200', '0', 'errors', '100', 'NULL', '-50']);
  const widths = [...drawn.matchAll(/class="f\d" x="[\d.]+" y="[\d.]+" width="([\d.]+)"/g)].map(([, width]) => Number(width));
  expect(widths.map((width) => Math.round((width / (widths[0] ?? 1)) * 400))).toEqual([400, 200, 0, 100, 50]);
});

test('a single row is its numbers, as large as they fit', () => {
  const drawn = text(svg(result({ visits: 'INT64', took_ms: 'INT64', heap_bytes: 'FLOAT64' }, [[1234567, null, 123456789012345]]), layout));
  expect(textsOf(drawn, 'text')).toEqual(['visits', '1,234,567', 'took_ms', '–', 'heap_bytes', '123TB']);
});

test('no rows are said', () => {
  expect(textsOf(text(svg(result({ t: 'TIMESTAMP', n: 'INT64' }, []), layout)), 'text')).toEqual(['no rows to draw']);
});

test('a result without numbers is refused as it is in the terminal', () => {
  expect(() => text(svg(result({ a: 'STRING' }, [['x']]), layout))).toThrow('this result has no column of numbers to draw');
});

test('a small picture, to the last character', () => {
  const picture = pictureOf(
    drawingOf(
      result({ day: 'DATE', n: 'INT64' }, [
        ['2026-01-01', 1],
        ['2026-01-02', 3],
      ]),
      {},
    ),
    {
      width: 200,
      height: 120,
      legend: false,
      hints: false,
    },
  );
  expect(`${picture.summary}\n${picture.markup}`).toMatchInlineSnapshot(`
    "Lines over time, 2026-01-01 to 2026-01-02, 1d each: n
    <line class="axis" x1="34" x2="188" y1="74" y2="74"/><text class="soft" text-anchor="end" x="26" y="78">0</text><line class="grid" x1="34" x2="188" y1="41" y2="41"/><text class="soft" text-anchor="end" x="26" y="45">2</text><line class="grid" x1="34" x2="188" y1="8" y2="8"/><text class="soft" text-anchor="end" x="26" y="12">4</text>
    <path class="area f0" d="M34 74L34 57.5L188 24.5L188 74Z"/><path class="plot l0" d="M34 57.5L188 24.5"/><circle class="f0" cx="34" cy="57.5" r="2.6"/><circle class="f0" cx="188" cy="24.5" r="2.6"/>
    <line class="axis" x1="34" x2="34" y1="74" y2="79"/><text class="soft" text-anchor="middle" x="34" y="93">01-01</text><line class="axis" x1="188" x2="188" y1="74" y2="79"/><text class="soft" text-anchor="middle" x="182" y="93">01-02</text><text class="soft" x="34" y="112">2026-01-01 to 2026-01-02</text>"
  `);
});

describe('pictures are safe to show anywhere', () => {
  const hostile: QueryResult = {
    columns: [
      { name: HOSTILE, type: { kind: 'STRING' } },
      { name: `${HOSTILE}_ms`, type: { kind: 'INT64' } },
    ],
    rows: [[HOSTILE, 1]],
    truncated: false,
  };

  test.each(['svg', 'html'] as const)('%s: text is text, and nothing comes from elsewhere', async (format) => {
    for (const one of [hostile, awkward, counts]) {
      const drawn = text((await loadFormat(format))(one, { ...layout, heading: { title: HOSTILE, facts: [HOSTILE] } }));
      expect(drawn).not.toMatch(/<script|<a |<image|<use|<foreignObject|\son\w+=|javascript:|url\(|@import|<link|\bsrc=|\bhref=/i);
      expect(drawn.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the very ones
      expect(drawn).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e\ufffe]/);
      if (format === 'svg') expect(XMLValidator.validate(drawn)).toBe(true);
      expect(drawn).toContain(one === hostile ? 'a ]]&gt; &amp; &lt;script&gt;&quot;c&#39;' : '');
    }
  });
});

test('html is a page with the chart, every row and what they were asked for', async () => {
  const html = await loadFormat('html');
  const page = text(html(counts, { ...layout, heading: { title: 'usage', facts: ['project: demo', 'as of now'] } }));
  expect(page).toContain('<h1>usage</h1>\n<p>project: demo · as of now</p>\n<p class="quiet">3 rows</p>');
  expect(page.match(/<svg /g)).toHaveLength(1);
  // biome-ignore format: a row is one line
  expect([...page.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell)).toEqual([
    hour(0), '4', '1500', hour(1), '8', '3000', hour(3), '2', '<i class="quiet">NULL</i>',
  ]);
  const words = text(html(result({ a: 'STRING' }, [['x\ny']]), layout));
  expect(words).not.toContain('<svg');
  expect(words).toContain('<td>x<br>y</td>');
  expect(() => text(html(result({ a: 'STRING' }, [['x']]), { ...layout, chart: { kind: 'bar' } }))).toThrow(QuernError);
});

test('png is an image of twice the width, with marks in the colours of the series', async () => {
  const [bytes = new Uint8Array()] = (await loadFormat('png'))(counts, layout);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  expect([...bytes.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  expect(view.getUint32(16)).toBe(1600);
});

test('colours can be read on their paper, in light and in dark', () => {
  for (const { paper, ink, soft, series } of [LIGHT, DARK]) {
    for (const colour of [ink, soft]) expect([colour, contrast(colour, paper) >= 4.5]).toEqual([colour, true]);
    for (const colour of series) expect([colour, contrast(colour, paper) >= 3]).toEqual([colour, true]);
  }
});

test('text is cut where it would leave its room', () => {
  expect([fitted('short', 100, 12), fitted('a rather long name of a thing', 60, 12)]).toEqual(['short', 'a rathe…']);
  expect(textWidth(fitted('日本語日本語日本語', 60, 12), 12)).toBeLessThanOrEqual(60);
});

/** https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio */
function contrast(one: string, other: string): number {
  const light = (hex: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high = 0, low = 0] = [light(one), light(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}
