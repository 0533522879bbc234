/** Writes durations for people. */

/** Returns text such as "12 ms", "3.4 s", "5 min 2 s" or "2 d 3 h". The sign is left out. */
export function formatDuration(seconds: number): string {
  const length = Math.abs(seconds);
  if (length < 0.9995) return `${Math.round(length * 1000)} ms`;
  if (length < 59.5) return `${Number(length.toFixed(length < 10 ? 1 : 0))} s`;
  const whole = Math.round(length);
  const [days, hours, minutes, rest] = [whole / 86_400, whole / 3600 % 24, whole / 60 % 60, whole % 60]
    .map(Math.floor) as [number, number, number, number];
  const parts = [[days, "d"], [hours, "h"], [minutes, "min"], [rest, "s"]] as const;
  const first = parts.findIndex(([number]) => number > 0);
  return parts.slice(first, first + 2).filter(([number]) => number > 0).map((part) => part.join(" ")).join(
    " ",
  );
}

/** Describes the time since something expired. Times of expiry are whole seconds, so a part of a second is left out. */
export function formatDelay(seconds: number): string {
  return formatDuration(seconds < 1 ? seconds : Math.floor(seconds));
}
