/** Estimates how many characters of HTML the texts of a value take. */

export function measure(value: unknown): number {
  if (typeof value === "string") return value.length + 5 * countEscaped(value);
  if (typeof value !== "object" || value === null) return 8;
  return Object.values(value).reduce<number>((sum, member) => sum + measure(member), 0);
}

/** Characters that HTML writes as several: markup, and control characters, which a page shows as text. */
function countEscaped(text: string): number {
  return text.match(/[&<>"\p{Cc}\p{Cf}]/gu)?.length ?? 0;
}
