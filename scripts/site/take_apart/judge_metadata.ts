/** Judges the metadata of a server, as a client reads it (RFC 8414, OpenID Connect Discovery). */
import { checksOf, type Level, type Rules } from "../../../src/server/client/check.ts";
import type { JsonObject } from "../../../src/ground/schema/json_object.ts";

/** A member of the metadata, and what a client may expect of it. */
export interface JudgedMember {
  readonly name: string;
  readonly result: "passed" | "failed" | "absent" | "open";
  readonly level: Level;
  readonly says: string;
  readonly received: string;
  readonly rule: string;
}

interface Expectation {
  readonly level: Level;
  readonly rule: string;
  readonly says: string;
  /** `undefined`: it does not apply to this server. */
  readonly holds: (value: unknown, members: JsonObject) => boolean | undefined;
}

const discovery = "OpenID Connect Discovery §3";

const isAddress = (value: unknown) =>
  typeof value === "string" && URL.canParse(value) && !value.includes("#");
const isSafe = (value: unknown) =>
  isAddress(value) &&
  (/^https:/.test(`${value}`) || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(`${value}`).hostname));
const lists = (value: unknown, wanted: string) => Array.isArray(value) && value.includes(wanted);
const isOpenId = (
  { id_token_signing_alg_values_supported: algorithms, subject_types_supported: types }: JsonObject,
) => algorithms !== undefined || types !== undefined;
const grants = ({ grant_types_supported: types }: JsonObject) => types ?? ["authorization_code", "implicit"];
const redirects = (members: JsonObject) => lists(grants(members), "authorization_code");

const expectations: Readonly<Record<string, Expectation>> = {
  issuer: {
    ...{ level: "must", rule: "RFC 8414 §2" },
    says: "An https address (http only on this machine) without query and fragment.",
    holds: (value) => isSafe(value) && !`${value}`.includes("?"),
  },
  authorization_endpoint: {
    ...{ level: "must", rule: "RFC 8414 §2, RFC 6749 §3.1" },
    says: "Where the browser goes. An https address, or http on this machine.",
    holds: (value, members) => redirects(members) ? isSafe(value) : undefined,
  },
  token_endpoint: {
    ...{ level: "must", rule: "RFC 8414 §2, RFC 6749 §3.2" },
    says: "Where the client exchanges the code. An https address, or http on this machine.",
    holds: (value) => isSafe(value),
  },
  jwks_uri: {
    ...{ level: "must", rule: discovery },
    says: "Where the keys are that verify ID tokens. An https address, or http on this machine.",
    holds: (value, members) =>
      isOpenId(members) ? isSafe(value) : value === undefined ? undefined : isSafe(value),
  },
  response_types_supported: {
    ...{ level: "must", rule: "RFC 8414 §2" },
    says: "It has code: OAuth 2.1 has no other response type.",
    holds: (value, members) => redirects(members) ? lists(value, "code") : Array.isArray(value),
  },
  code_challenge_methods_supported: {
    ...{ level: "should", rule: "RFC 9700 §2.1.1" },
    says: "It has S256: otherwise a client does not know that the server supports PKCE.",
    holds: (value, members) => redirects(members) ? lists(value, "S256") : undefined,
  },
  authorization_response_iss_parameter_supported: {
    ...{ level: "may", rule: "RFC 9207 §3" },
    says: "true: the response names its server, so a client with several servers notices a mix-up.",
    holds: (value, members) => redirects(members) ? value === true : undefined,
  },
  subject_types_supported: {
    ...{ level: "must", rule: discovery },
    says: "public, pairwise or both.",
    holds: (value, members) =>
      isOpenId(members) ? lists(value, "public") || lists(value, "pairwise") : undefined,
  },
  id_token_signing_alg_values_supported: {
    ...{ level: "must", rule: discovery },
    says: "It has RS256, which every client accepts.",
    holds: (value, members) => isOpenId(members) ? lists(value, "RS256") : undefined,
  },
  grant_types_supported: {
    ...{ level: "should", rule: "RFC 9700 §2.4, §2.1.2" },
    says: "Neither password nor implicit. If it is left out, implicit is meant.",
    holds: (_value, members) => !lists(grants(members), "password") && !lists(grants(members), "implicit"),
  },
};

export function isMetadata(members: JsonObject): boolean {
  return members["issuer"] !== undefined &&
    ["authorization_endpoint", "token_endpoint", "jwks_uri"].some((name) => members[name] !== undefined);
}

/** `issuer`: the address that the client was given. The metadata must name the same (RFC 8414 §3.3). */
export function judgeMetadata(members: JsonObject, issuer: string | undefined): readonly JudgedMember[] {
  const rules: Rules<string> = Object.fromEntries(
    Object.entries(expectations).map(([name, { level, rule }]) => [name, [level, rule] as const]),
  );
  const { decide } = checksOf(rules);
  const judged = Object.entries(expectations).map(([name, { says, holds }]) => {
    const value = members[name];
    const { result, level, rule } = decide(name, holds(value, members) ?? "absent");
    const judged = { name, level, rule, says, received: value === undefined ? "–" : JSON.stringify(value) };
    // What a server may leave out is not wrong.
    return { ...judged, result: result === "failed" && level === "may" ? "open" as const : result };
  });
  return [
    ...(issuer === undefined ? [] : [judgeIssuer(members["issuer"], issuer)]),
    ...judged.filter(({ result }) => result !== "absent"),
  ];
}

function judgeIssuer(received: unknown, issuer: string): JudgedMember {
  return {
    ...{ name: "issuer", level: "must", rule: "RFC 8414 §3.3" },
    result: received === issuer ? "passed" : "failed",
    says: `It is the issuer that you know: ${issuer}`,
    received: `${received}`,
  };
}
