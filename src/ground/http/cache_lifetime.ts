/** Reads for how long an answer may be used again (RFC 9111 §4.2, §5.2.2). */

/** In seconds. 0: the answer must not be used again. `usual` is for one that says nothing about its lifetime. */
export function cacheLifetime(
  header: (name: string) => string | null,
  { usual, longest }: { readonly usual: number; readonly longest: number },
): number {
  const directives = (header("cache-control") ?? "").toLowerCase().split(",").map((each) => each.trim());
  if (directives.some((each) => /^(no-store|no-cache)(=|$)/.test(each))) return 0;
  const given = directives.map((each) => /^max-age="?(\d{1,10})"?$/.exec(each)?.[1]).find(Boolean);
  const lifetime = given === undefined ? readExpires(header) : Number(given);
  return Math.max(0, Math.min(lifetime === undefined ? usual : lifetime - readAge(header), longest));
}

function readAge(header: (name: string) => string | null): number {
  const age = header("age") ?? "";
  return /^\d{1,10}$/.test(age) ? Number(age) : 0;
}

/** RFC 9111 §5.3: Expires is compared with Date, so that the clock of the server does not matter. */
function readExpires(header: (name: string) => string | null): number | undefined {
  const expires = header("expires");
  if (expires === null) return undefined;
  const seconds = (Date.parse(expires) - Date.parse(header("date") ?? "")) / 1000;
  return Number.isFinite(seconds) ? seconds : 0;
}
