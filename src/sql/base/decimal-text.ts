// Decimal texts as NUMERIC and BIGNUMERIC values. https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#decimal_types

const SCALE = { NUMERIC: 9, BIGNUMERIC: 38 } as const;
/** In steps of the last digit; BIGNUMERIC has one more below zero. */
const LIMIT = {
  NUMERIC: 10n ** 38n - 1n,
  // 2^255 - 1 steps of 10^-38.
  BIGNUMERIC: 2n ** 255n - 1n,
} as const;

/** The value as plain digits, rounded half away from zero to the type's scale; undefined if the text is no number or out of range. */
export function decimalText(text: string, kind: 'NUMERIC' | 'BIGNUMERIC'): string | undefined {
  const parts = /^\s*([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?\s*$/.exec(text);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  if (whole + fraction === '' || exponent.length > 6) return undefined;
  const scale = SCALE[kind];
  // digits * 10^shift is the value in steps of the type's last digit.
  const shift = Number(exponent) - fraction.length + scale;
  const digits = BigInt(whole + fraction);
  if (shift > 200 && digits !== 0n) return undefined;
  const steps = shift >= 0 ? digits * 10n ** BigInt(Math.min(shift, 200)) : roundedDown(digits, -shift);
  if (steps > LIMIT[kind] + (sign === '-' && kind === 'BIGNUMERIC' ? 1n : 0n)) return undefined;
  const all = String(steps).padStart(scale + 1, '0');
  const decimals = all.slice(-scale).replace(/0+$/, '');
  const plain = decimals === '' ? all.slice(0, -scale) : `${all.slice(0, -scale)}.${decimals}`;
  return sign === '-' && steps !== 0n ? `-${plain}` : plain;
}

/** digits / 10^places, a half and more rounded up. */
function roundedDown(digits: bigint, places: number): bigint {
  if (places > String(digits).length) return 0n;
  const divisor = 10n ** BigInt(places);
  return digits / divisor + ((digits % divisor) * 2n >= divisor ? 1n : 0n);
}
