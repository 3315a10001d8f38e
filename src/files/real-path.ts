// Where a path leads by way of links.
import { realpathSync } from 'node:fs';

/** What is reached by a link is the same thing. A path to nothing, or to what cannot be read, stays as it is: using it says why. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
