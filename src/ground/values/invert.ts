/** The inverse of a number modulo another one, by the extended Euclidean algorithm. Its time tells about the number. */
export function invert(number: bigint, modulus: bigint): bigint {
  let [dividend, divisor, before, inverse] = [modulus, number % modulus, 0n, 1n];
  while (divisor !== 1n) {
    const quotient = dividend / divisor;
    [dividend, divisor] = [divisor, dividend - quotient * divisor];
    [before, inverse] = [inverse, before - quotient * inverse];
  }
  return inverse < 0n ? inverse + modulus : inverse;
}
