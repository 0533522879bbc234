/** The habits of the three clients of these tests, and the errors with which they stop. */

import type { JWK, ProtectedHeaderParameters } from "jose";
import type { LoginValue } from "../../../../src/kit/faults/logins.ts";
import type { Dpop } from "./dpop.ts";
import type { ClientCertificate, Mock, Scenario } from "../../../../src/kit/mod.ts";
import { hasToStopWaiting } from "../../examined/examined.ts";

export interface Habits {
  /** Does the checks of standards that openid-client does not show. Its kept card has the verdicts about all others. */
  readonly checks: boolean;
  /** Stops at everything unusual, even where a standard says that a client goes on. */
  readonly startles: boolean;
  /**
   * What protects its logins besides `state` (RFC 9700 §2.1). Absent: PKCE and a nonce. A client with another choice is
   * the `confidentialClient`.
   */
  readonly guards?: readonly Guard[];
  /** The algorithms of signatures that the client accepts. Absent: only RS256 (OpenID Connect Registration §2). */
  readonly algs?: readonly string[];
  /** Uses each authorization server that the metadata of an API names. */
  readonly follows?: true;
  /** How it compares a text that it received with the one that it expects. Absent: exactly. */
  readonly compares?: Comparison;
  /** Whether it takes a JWT without a signature for verified, by its alg. Absent: never. */
  readonly takesUnsigned?: (alg: string) => boolean;
  /** Whether it takes a JWT with an HMAC for verified, by a key of the server. Absent: never. */
  readonly takesHmac?: (jwt: string, key: JWK) => boolean;
  /** Which key it takes by the header of a JWT, besides the keys of the server. Absent: none. */
  readonly takesKey?: (header: ProtectedHeaderParameters, fetch: Mock["fetch"]) => Promise<JWK | undefined>;
  /** How it decrypts a JWT. Absent: as jose does, which limits how much it decompresses. */
  readonly decrypts?: (jwt: string) => Promise<string>;
  /** What is the same in each login. Absent: nothing for a client that checks, and the verifier and the nonce for others. */
  readonly repeats?: readonly LoginValue[];
}

export type Comparison = (received: string, expected: string) => boolean;

export type Guard = "pkce" | "nonce";

/** Accepts everything. */
export const naive: Habits = { checks: false, startles: false };
/** Does the checks, and nothing more. */
export const strict: Habits = { checks: true, startles: false };
/** The strict client at a server with `quickAlg`, which costs less time than the usual RS256. */
export const quickAlg = "EdDSA";
export const quick: Habits = { ...strict, algs: [quickAlg, "RS256"] };
/** Does the checks, and stops at everything unusual. */
export const brittle: Habits = { checks: true, startles: true };

/** What a client does in each run besides a plain login. */
export type Kind =
  | "dpop"
  | "assertion"
  | "certificate"
  | "jarm"
  | "pushed"
  | "details"
  | "own_api"
  | "introspection"
  | "introspection_jwt"
  | "api_metadata"
  | "mcp";

/** Whether the client calls an API of which it knows only the URL. */
export function findsApi(kind: Kind | undefined): boolean {
  return kind === "api_metadata" || kind === "mcp";
}

/** One run of a client. */
export interface Run {
  readonly as: Mock;
  readonly scenario: Scenario;
  readonly habits: Habits;
  /** Absent: only what the misbehaviour of the run is about. */
  readonly kind?: Kind;
  /** The scope of logins, if it is not the usual one. */
  readonly scope?: readonly string[];
  /** More parameters for authorization requests. */
  readonly params?: Readonly<Record<string, string>>;
  /** The secret of the client. Absent: the client is public. */
  readonly secret?: string;
  /** The key of the assertions with which the client authenticates. */
  readonly assertionKey?: CryptoKey;
  /** The key that the client proves. Absent: the client uses bearer tokens. */
  readonly dpop?: Dpop;
  /** The certificate that the client shows, and to which its tokens are bound. */
  readonly certificate?: ClientCertificate;
}

/** A client that may leave out PKCE and the nonce. */
export const confidentialClient = {
  client_id: "app",
  client_secret: "a-secret-of-this-test",
  redirect_uris: ["https://app.test/callback"],
  require_pkce: false,
  oauth_version: "2.0",
} as const;

/** The client refuses an answer of the server. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** Stops a client that checks, if something is wrong. */
export function refuseIf({ habits }: Pick<Run, "habits">, isWrong: boolean, message: string): void {
  if (isWrong && habits.checks) throw new Refusal(message);
}

/** Whether a value is not the expected one, as the client compares them. */
export function differs(
  { habits: { compares } }: Pick<Run, "habits">,
  received: unknown,
  expected: unknown,
): boolean {
  return compares !== undefined && typeof received === "string" && typeof expected === "string"
    ? !compares(received, expected)
    : received !== expected;
}

/** Stops a client that startles, if something is unusual. */
export function startleIf({ habits }: Pick<Run, "habits">, isUnusual: boolean, message: string): void {
  if (isUnusual && habits.startles) throw new Refusal(`unusual: ${message}`);
}

/** Returns how long the client waits for an answer, in milliseconds. A busy machine answers late, so only where none comes it is short. */
export function choosePatience({ scenario }: Run): number {
  return hasToStopWaiting(scenario) ? 50 : 60_000;
}
