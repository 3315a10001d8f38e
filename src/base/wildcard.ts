// Names against patterns with `*`, in a time that their lengths bound: a regular expression of several `.*` takes for ever on some names.

/** `*`, or whether one character fits. */
export type Step = '*' | ((character: string) => boolean);

/** Only the last `*` before a mismatch is tried again, one character further on, so the time is at most that of both lengths multiplied. */
export function fits(name: readonly string[], steps: readonly Step[]): boolean {
  let [at, step] = [0, 0];
  let star: { readonly step: number; from: number } | undefined;
  while (at < name.length) {
    const wanted = steps[step];
    if (wanted === '*') {
      star = { step, from: at };
      step++;
    } else if (wanted?.(name[at] ?? '') === true) {
      step++;
      at++;
    } else if (star !== undefined) {
      star.from++;
      [at, step] = [star.from, star.step + 1];
    } else return false;
  }
  return steps.slice(step).every((rest) => rest === '*');
}
