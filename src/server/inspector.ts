// Keeps Node's inspector shut: whoever may signal the server could open it, and whoever reaches its port then would run what they like.

const ignore = (): void => undefined;

/** With a listener Node leaves SIGUSR1 to it. `--inspect`, which the server's owner gives at its start, works as ever. */
export function keepInspectorShut(): void {
  if (!process.listeners('SIGUSR1').includes(ignore)) process.on('SIGUSR1', ignore);
}
