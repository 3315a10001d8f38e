/** Thrown for compressed data that are not what a packer has written, in words that go behind a file's name. */
export class DamagedError extends Error {}
