// How long this process has worked: the time of a clock also counts what other processes of a busy machine do meanwhile.

/** Milliseconds. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
