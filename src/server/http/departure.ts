// Finds out whether the client of a reply has gone.

/** A reply of HTTP/1.1, or of HTTP/2, where only the stream below it tells. */
export interface Departing {
  readonly closed?: boolean;
  readonly stream?: { readonly destroyed: boolean };
}

export const hasLeft = ({ closed, stream }: Departing): boolean => closed ?? stream?.destroyed === true;
