// What the sources of a project file read from elsewhere, without reading any of it.
import { relative, resolve, sep } from 'node:path';
import { isAddress } from './definition.ts';

/**
 * The patterns and addresses of files in `section`, the value of `sources:`, that lie outside of `folder`, as they are written, each once. Takes any value:
 * what is wrong in the section is told when it is read.
 */
export function filesOutside(section: unknown, folder: string): readonly string[] {
  const patterns = valuesOf(section).flatMap((source) => {
    const file: unknown = Object(source).file;
    return (Array.isArray(file) ? file : [file]).filter((pattern) => typeof pattern === 'string');
  });
  return [...new Set(patterns)].filter((pattern) => isAddress(pattern) || isOutside(folder, resolve(folder, pattern)));
}

const valuesOf = (value: unknown): readonly unknown[] => Object.values(Object(value));

/** Whether `path` is neither `folder` nor in it. Links are not followed. */
export function isOutside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '..' || way.startsWith(`..${sep}`);
}
