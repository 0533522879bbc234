/** What came instead of what was expected: quoted where it can be no secret, and else by its kind or not at all. */

// Of a key in JSON (RFC 7517, RFC 7518 §6), too.
const secretMember = /secret|password|jwk|^(keys|signingKeys|d|k|p|q|dp|dq|qi|oth)$/i;

const longest = 100;

/** `place` as in `clients[0].client_id`. `undefined`: nothing may be said of what stands there. */
export function describeReceived(place: string, value: unknown): string | undefined {
  if (place.split(/[.[\]]+/).some((member) => secretMember.test(member))) return undefined;
  if (typeof value !== "string") return isQuotable(value) ? `${value}` : describeKind(value);
  // A URL may hold a name and a password.
  if (value.includes("@")) return undefined;
  return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}…` : value);
}

/** For what may hold anything: in words, without any of it. */
export function describeKind(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  if (Array.isArray(value)) return "an array";
  return /^[aeiou]/.test(typeof value) ? `an ${typeof value}` : `a ${typeof value}`;
}

/** Before the reason, where one is given: `must be https, not "http://a.example": http is for …`. */
export function withReceived(expected: string, received: string | undefined): string {
  if (received === undefined || !/^must (be|look like) /.test(expected)) return expected;
  const [rule, ...reason] = expected.split(": ");
  return [`${rule}, not ${received}`, ...reason].join(": ");
}

function isQuotable(value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean";
}
