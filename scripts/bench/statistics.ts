/** Median, percentile and spread of measurements. */
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

/** Returns the difference of the highest and the lowest value, as a share of the median. */
export function spread(values: readonly number[]): number | undefined {
  const middle = median(values);
  return middle ? (Math.max(...values) - Math.min(...values)) / middle : undefined;
}
