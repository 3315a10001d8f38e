// Floats for the eye: with no more digits than can be compared.

const decimals = 6;

/** Prints a float with no more than six decimals, or six digits of a number below 1, so that nothing but 0 reads as 0. */
export function roundedText(value: number): string {
  if (!Number.isFinite(value) || Object.is(value, -0)) return Object.is(value, -0) ? '-0' : String(value);
  const size = Math.abs(value);
  if (size >= 1e21) return String(Number(value.toPrecision(decimals + 1)));
  return String(Number(size < 1 ? value.toPrecision(decimals) : value.toFixed(decimals)));
}
