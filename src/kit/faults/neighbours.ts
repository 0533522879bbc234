/** Writes wrong values that share text with the right one. */

import type { Claims } from "../../ground/values/members.ts";
import type { Tools } from "./misbehaviour.ts";
import {
  findOriginInside,
  findSimilarOrigins,
  foreignPort,
  inherited,
  type Neighbour,
  neighbours,
  similarHosts,
} from "./names.ts";

/** Returns the neighbour of the right value, what objects inherit, or `other` if the variant names neither. It always differs from the right value. */
export function writeNeighbour(variant: string | undefined, right: string, other: string): string {
  const neighbour = neighbours.find((each) => each === variant);
  const unlike = variant === inherited ? inherited : other;
  const written = neighbour === undefined ? unlike : writers[neighbour](right);
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
  return writeNeighbour(variant, issuer, variant === "slash" ? toggleSlash(issuer) : otherServer);
}

/** Writes the issuer in another way. */
export function spellIssuer({ variant, issuer }: Tools): string {
  return writeNeighbour(variant, issuer, toggleSlash(issuer));
}

/** Leaves only a part of the issuer. */
export function shortenIssuer({ variant, issuer }: Tools): string {
  if (variant === "scheme") return issuer.replace(/:.*/, "");
  return writeNeighbour(variant === "end" ? variant : "part", issuer, issuer);
}

/** Adds a slash at the end, or removes it. */
export function toggleSlash(url: string): string {
  return url.endsWith("/") ? withoutSlash(url) : `${url}/`;
}

/**
 * Writes what a redirect names: a foreign URL, or the right one without TLS or with another port. On loopback, a foreign
 * URL has another port, too.
 */
export function nameRedirectTarget(path: string, right: URL, tools: Tools): string {
  const { variant, issuer, otherServer } = tools;
  if (variant === "without_tls" && right.protocol === "https:") {
    return `http:${right.href.slice("https:".length)}`;
  }
  const isOnUsualPort = right.protocol === "https:" && right.port === "";
  if (variant === "other_port" && isOnUsualPort && right.origin === new URL(issuer).origin) {
    return `${right.origin}:${foreignPort}${right.pathname}`;
  }
  // An API has a host of its own.
  const isOther = variant === "host_inside" && right.origin !== new URL(issuer).origin;
  const inside = isOther ? findOriginInside(right.origin, otherServer) : undefined;
  return inside === undefined ? nameForeignUrl(path, tools) : inside + right.pathname;
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

/** Returns a scope that has none of the right names. A comma separates no names (RFC 6749 §3.3). */
export function narrowScope(variant: string | undefined, right: readonly string[]): string {
  const other = "another-scope";
  if (variant === "comma") return [other, ...right].join(",");
  if (variant === "without_first") return [other, ...right.slice(1)].join(" ");
  if (variant === "without_last") return [...right.slice(0, -1), other].join(" ");
  if (variant === "url_before") return right.map((each) => `https://another-api.test/${each}`).join(" ");
  return writeNeighbours(variant, right, other).join(" ");
}

/** An issuer is no list (RFC 7519 §4.1.1). */
export function listIssuers(claims: Claims, { variant, otherServer }: Tools): Claims {
  const { iss } = claims;
  return { ...claims, iss: variant === "foreign_last" ? [iss, otherServer] : [otherServer, iss] };
}

/** What stands between the audiences in one text, which is no list of them (RFC 7519 §4.1.3). */
const audienceJoints: ReadonlyMap<string | undefined, string> = new Map([["comma", ","], ["space", " "]]);

/** Ends the name of a variant whose audience is a list, although it may have one item only (RFC 7519 §4.1.3). */
const inList = /_in_list$/;

/** Names another audience. MCP, "Canonical Server URI": capital letters in the host alone make no other one. */
export function changeAudience(claims: Claims, { variant }: Tools, other: string): Claims {
  const joint = audienceJoints.get(variant);
  if (joint !== undefined) return { ...claims, aud: [other, ...textsOf(claims["aud"])].join(joint) };
  if (variant === "client") return { ...claims, aud: other, client_id: other };
  const write = variant === "capitals" ? writeOtherUrl : writeNeighbour;
  const written = writeNeighbours(variant?.replace(inList, ""), textsOf(claims["aud"]), other, write);
  return variant !== undefined && inList.test(variant)
    ? { ...claims, aud: written }
    : withAudience(claims, written);
}

/** Writes a slash at the end of each audience, or removes it. */
export function toggleAudienceSlash(claims: Claims): Claims {
  return withAudience(claims, textsOf(claims["aud"]).map(toggleSlash));
}

function withAudience(claims: Claims, [first, ...more]: readonly string[]): Claims {
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
  // Of a URL, it is what follows its scheme.
  end: (right) => right.includes("://") ? right.slice(right.indexOf("://") + 3) : right.slice(1),
  capitals: (right) => {
    const capitals = right.toUpperCase();
    return capitals === right ? right.toLowerCase() : capitals;
  },
  white_space: (right) => `${right} `,
  // In some regular expressions, the end of a text is before it, too.
  line_break: (right) => `${right}\n`,
  encoded: (right) => {
    const encoded = encodeURIComponent(right);
    return encoded === right ? `%${right.charCodeAt(0).toString(16)}${right.slice(1)}` : encoded;
  },
  // In a regular expression, a dot stands for any character.
  similar_host: (right) => right.replace(".", "-"),
  other_scheme: (right) => right.replace(/^http(s?):/, (_, secure) => secure === "" ? "https:" : "http:"),
  other_port: (right) =>
    right.replace(
      /^(https?:\/\/(?:\[[^\]]*\]|[^/?#:@]+))(?::(\d+))?(?=[/?#]|$)/,
      (_, start, port) => `${start}:${port === "8443" ? 8444 : 8443}`,
    ),
  subdomain: (right) => right.replace("://", "://another."),
  after_colon: (right) => `${right}:another`,
  after_dot: (right) => `${right}.another`,
  after_slash: (right) => `${right}/another`,
  after_question_mark: (right) => `${right}?another`,
  after_hash: (right) => `${right}#another`,
  // The soft hyphen. Other such characters are none of ISO 8859-1, so no header can show them.
  invisible_character: (right) => `${right}\u00ad`,
  before_slash: (right) => `another/${right}`,
};

function withoutSlash(text: string): string {
  return text.endsWith("/") ? text.slice(0, -1) : text;
}
