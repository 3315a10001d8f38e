// Why the file system did not do what it was asked to, as people would say it.
const TROUBLES: Readonly<Record<string, string>> = {
  ENOENT: 'the folder cannot be created',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EROFS: 'the folder is on a read-only disk',
  EACCES: 'its permissions do not allow it',
  EPERM: 'its permissions do not allow it',
  ENOTDIR: 'part of its path is a file',
  EEXIST: 'part of its path is a file',
};

/** Of a folder in which quern keeps files of its own. */
export const reasonOf = (cause: NodeJS.ErrnoException): string => TROUBLES[cause.code ?? ''] ?? cause.message;
