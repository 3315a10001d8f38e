// The format png: the chart as an image, by a package that only users of such images install.
import { QuernError } from '../base/errors.ts';
import type { BinaryFormat } from './format.ts';
import { chartPicture, svgDocument } from './svg/svg.ts';

/** The image has twice as many pixels as the picture is wide, so that it is sharp on today's screens. */
const SCALE = 2;

/** Throws `usage` where the package is missing, or the machine has no font to write with. */
export async function loadPng(): Promise<BinaryFormat> {
  const { Resvg } = await import('@resvg/resvg-js').catch((cause: unknown) => {
    throw new QuernError('usage', 'png needs the package @resvg/resvg-js, which is not installed', {
      hint: 'run `npm install @resvg/resvg-js` where quern is installed (with --global if quern is), or use --format svg',
      cause,
    });
  });
  const probe = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text y="15" font-family="sans-serif">M</text></svg>';
  if (new Resvg(probe, FONTS).getBBox() === undefined) {
    throw new QuernError('usage', 'this machine has no fonts, so the chart would have no text', {
      hint: 'install a font, such as the Debian package fonts-dejavu-core, or use --format svg',
    });
  }
  return function* png(result, layout) {
    const picture = new Resvg(svgDocument(chartPicture(result, layout), false), { ...FONTS, fitTo: { mode: 'zoom', value: SCALE } });
    yield picture.render().asPng();
  };
}

const FONTS = { font: { loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans' } } as const;
