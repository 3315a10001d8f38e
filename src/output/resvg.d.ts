// The types of @resvg/resvg-js that are used here, as the package is not always installed.
declare module '@resvg/resvg-js' {
  interface ResvgOptions {
    readonly font: { readonly loadSystemFonts: boolean; readonly defaultFontFamily: string };
    readonly fitTo?: { readonly mode: 'zoom'; readonly value: number };
  }
  export class Resvg {
    constructor(svg: string, options: ResvgOptions);
    /** Undefined where nothing would be drawn. */
    getBBox(): object | undefined;
    render(): { asPng(): Uint8Array };
  }
}
