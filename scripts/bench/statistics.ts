/** The few numbers that describe many. */
export function median(values: readonly number[]): number | undefined {
  return percentile(Float64Array.from(values).sort(), 0.5);
}

/** Of values in rising order, by linear interpolation. */
export function percentile(sorted: Float64Array, share: number): number | undefined {
  if (sorted.length === 0) return undefined;
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}

/** How far the values lie apart, as a share of their median. */
export function spread(values: readonly number[]): number | undefined {
  const middle = median(values);
  return middle ? (Math.max(...values) - Math.min(...values)) / middle : undefined;
}
