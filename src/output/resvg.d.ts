// What is used of @resvg/resvg-js, which is there only where somebody has installed it.
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
