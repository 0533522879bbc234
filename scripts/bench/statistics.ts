/** Median and percentile of measurements. */
export function median(values: readonly number[]): number | undefined {
  return percentile(Float64Array.from(values).sort(), 0.5);
}

/** `sorted` has the values in ascending order. Between two values it interpolates linearly. */
export function percentile(sorted: Float64Array, share: number): number | undefined {
  if (sorted.length === 0) return undefined;
  const index = (sorted.length - 1) * share;
  const below = sorted[Math.floor(index)] as number;
  const above = sorted[Math.ceil(index)] as number;
  return below + (above - below) * (index - Math.floor(index));
}
