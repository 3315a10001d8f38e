// Keeps Node's inspector shut: whoever may signal the server could open it, and whoever reaches its port then would run what they like.

const ignore = (): void => undefined;

/** Node opens the inspector at SIGUSR1 unless something listens to that signal. `--inspect`, which the server's owner gives at its start, still works. */
export function keepInspectorShut(): void {
  if (!process.listeners('SIGUSR1').includes(ignore)) process.on('SIGUSR1', ignore);
}
