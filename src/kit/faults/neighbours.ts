/** Writes wrong values that share text with the right one. */

import type { Claims } from "../../ground/values/members.ts";
import type { Tools } from "./misbehaviour.ts";
import { findSimilarOrigins, type Neighbour, neighbours, similarHosts } from "./names.ts";

/** Returns the neighbour of the right value, or `other` if the variant names no neighbour. It always differs from the right value. */
export function writeNeighbour(variant: string | undefined, right: string, other: string): string {
  const neighbour = neighbours.find((each) => each === variant);
  const written = neighbour === undefined ? other : writers[neighbour](right);
  return written === right ? writers.suffix(right) : written;
}

/** Returns the neighbours of several right values. None of them is one of the right values. */
export function writeNeighbours(
  variant: string | undefined,
  right: readonly string[],
  other: string,
  write: typeof writeNeighbour = writeNeighbour,
): readonly string[] {
  const written = right.map((each) => write(variant, each, other))
    .filter((each) => !right.includes(each));
  return written.length === 0 ? [other] : [...new Set(written)];
}

/** Like `writeNeighbour`, but a URL is another one after its normalization, too (RFC 3986 §6.2.2, §6.2.3). */
export function writeOtherUrl(variant: string | undefined, right: string, other: string): string {
  const written = writeNeighbour(variant, right, other);
  const [one, same] = [written, right].map((each) => URL.canParse(each) ? new URL(each).href : each);
  return one === same ? writers.suffix(right) : written;
}

/** Names another issuer. */
export function writeIssuer({ variant, issuer, otherServer }: Tools): string {
  return writeNeighbour(variant, issuer, otherServer);
}

/** Writes the issuer in another way. */
export function spellIssuer({ variant, issuer }: Tools): string {
  return writeNeighbour(variant, issuer, toggleSlash(issuer));
}

/** Adds a slash at the end, or removes it. */
function toggleSlash(issuer: string): string {
  return issuer.endsWith("/") ? withoutSlash(issuer) : `${issuer}/`;
}

/** Names a URL of the other server. One whose host resembles that of the server has the right URL in its query, too. */
export function nameForeignUrl(
  path: string,
  { variant = "", issuer, otherServer }: Pick<Tools, "variant" | "issuer" | "otherServer">,
): string {
  const host = similarHosts.find((each) => variant.endsWith(each));
  if (host === undefined) return `${otherServer}/${path}`;
  const before = host === "host_inside" ? `://${new URL(issuer).host}@` : "://";
  const base = findSimilarOrigins(issuer)[host] ?? otherServer.replace("://", before);
  return `${base}/${path}?of=${issuer}/${path}`;
}

/** Names another audience. MCP, "Canonical Server URI": capital letters in the host alone make no other one. */
export function changeAudience(claims: Claims, { variant }: Tools, other: string): Claims {
  const write = variant === "capitals" ? writeOtherUrl : writeNeighbour;
  const [first, ...more] = writeNeighbours(variant, textsOf(claims["aud"]), other, write);
  return { ...claims, aud: more.length === 0 ? first : [first, ...more] };
}

function textsOf(audience: unknown): readonly string[] {
  return [audience].flat().filter((each) => typeof each === "string");
}

const writers: Readonly<Record<Neighbour, (right: string) => string>> = {
  // Of a URL, it is another path of the same origin.
  suffix: (right) => URL.canParse(right) ? `${withoutSlash(right)}/another` : `${right}-2`,
  prefix: (right) => `not-${right}`,
  // A slash alone makes no other URL for some standards.
  part: (right) => withoutSlash(right).slice(0, -1),
  capitals: (right) => {
    const capitals = right.toUpperCase();
    return capitals === right ? right.toLowerCase() : capitals;
  },
  white_space: (right) => `${right} `,
  encoded: (right) => {
    const encoded = encodeURIComponent(right);
    return encoded === right ? `%${right.charCodeAt(0).toString(16)}${right.slice(1)}` : encoded;
  },
  // In a regular expression, a dot stands for any character.
  similar_host: (right) => right.replace(".", "-"),
  other_scheme: (right) => right.replace(/^http(s?):/, (_, secure) => secure === "" ? "https:" : "http:"),
  subdomain: (right) => right.replace("://", "://another."),
  after_colon: (right) => `${right}:another`,
  after_dot: (right) => `${right}.another`,
  after_slash: (right) => `${right}/another`,
  after_question_mark: (right) => `${right}?another`,
  after_hash: (right) => `${right}#another`,
};

function withoutSlash(text: string): string {
  return text.endsWith("/") ? text.slice(0, -1) : text;
}
