/** A walk: what a person did with an authorization code by the buttons of the callback page, one step at a time. */

import { parseJsonObject } from "../../schema/json_object.ts";
import type { Claims, Members } from "../members.ts";
import type { Pair } from "../../http/form.ts";

/** The steps of a walk. Each sends one request of a client. */
export const walkStepNames = [
  "exchange",
  "userinfo",
  "refresh",
  "introspect",
  "revoke",
  "call_api",
  "replay_code",
  "tamper_verifier",
  "reuse_refresh_token",
] as const;

export type WalkStepName = typeof walkStepNames[number];

/** Why a step is not possible now. */
export type WalkObstacle =
  | "assertion_client"
  | "bound_to_key"
  | "code_expired"
  | "code_used"
  | "no_access_token"
  | "no_api"
  | "no_old_refresh_token"
  | "no_openid"
  | "no_refresh_token"
  | "no_verifier"
  | "not_for_api"
  | "not_for_userinfo"
  | "not_offered"
  | "not_redeemed"
  | "public_client"
  | "too_many_steps";

export interface WalkRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: readonly Pair[];
  /** The parameters of the body. */
  readonly form?: readonly Pair[];
}

export interface WalkResponse {
  readonly status: number;
  readonly headers: readonly Pair[];
  readonly body: string;
}

/** A request that the server sent to itself, and its response. A secret that the person typed is masked. */
export interface WalkCall {
  readonly request: WalkRequest;
  readonly response: WalkResponse;
}

export interface WalkStep {
  readonly name: WalkStepName;
  readonly takenAt: number;
  readonly call: WalkCall;
  /** The JWKS that the step read to check the signatures of its tokens. */
  readonly keys?: WalkCall;
  /** Requests that ask whether the tokens still work. */
  readonly proofs: readonly WalkCall[];
  /** The positions in `findTokens` of the tokens that worked before the step and do not work after it. */
  readonly ended: readonly number[];
}

export interface Walk {
  readonly code: string;
  readonly state?: string;
  readonly redirectUri: string;
  readonly grantId: string;
  readonly clientId: string;
  readonly codeVerifier?: string;
  /** The nonce of the authorization request. */
  readonly nonce?: string;
  /** The scope and resources of the authorization request. */
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** The number of steps that were begun. A form is good for one step, so the form repeats this number. */
  readonly begun: number;
  readonly steps: readonly WalkStep[];
}

export interface WalkToken {
  readonly kind: "access_token" | "refresh_token" | "id_token";
  readonly text: string;
  /** The number of the step that got the token, counted from 1. */
  readonly step: number;
}

/** `not_known`: the server does not recognise the text, for example because a misbehaviour changed the token. */
export type WalkTokenState =
  | "works"
  | "early"
  | "expired"
  | "expired_by_test"
  | "replaced"
  | "revoked"
  | "grant_revoked"
  | "client_gone"
  | "person_gone"
  | "person_disabled"
  | "password_changed"
  | "scope_removed"
  | "signed_out"
  | "not_known";

export interface JudgedToken extends WalkToken {
  /** Absent for an ID token, which is read once and not presented. */
  readonly state?: WalkTokenState;
}

export type TokenCheckName =
  | "signature"
  | "alg"
  | "typ"
  | "iss"
  | "aud"
  | "azp"
  | "exp"
  | "iat"
  | "nbf"
  | "nonce"
  | "at_hash"
  | "sub"
  | "client_id"
  | "scope";

/** A check, and what it compared. `absent`: there is nothing to compare, and no rule asks for it here. */
export interface WalkTokenCheck {
  readonly name: TokenCheckName;
  readonly result: "passed" | "failed" | "absent";
  readonly expected?: string;
  readonly received?: string;
}

export interface DecodedToken {
  readonly kind: WalkToken["kind"];
  /** Absent if the token is not a JWT. */
  readonly jwt?: { readonly header: Members; readonly claims: Claims };
  readonly checks: readonly WalkTokenCheck[];
}

/** Lists the tokens of all steps in their order. A token that came twice is listed once. */
export function findTokens({ steps }: Pick<Walk, "steps">): readonly WalkToken[] {
  const tokens = steps.flatMap(({ call }, at) =>
    readTokens(call).map((token) => ({ ...token, step: at + 1 }))
  );
  return tokens.filter(({ text }, at) => tokens.findIndex((each) => each.text === text) === at);
}

const kinds = ["access_token", "refresh_token", "id_token"] as const;

/** Reads the tokens of a response. Only a request that has a grant_type can get tokens. */
export function readTokens({ request, response }: WalkCall): readonly Omit<WalkToken, "step">[] {
  const isTokenRequest = request.form?.some(([name]) => name === "grant_type") ?? false;
  if (!isTokenRequest || response.status !== 200) return [];
  const members = parseJsonObject(response.body);
  return kinds.flatMap((kind) => {
    const text = members?.[kind];
    return typeof text === "string" && text !== "" ? [{ kind, text }] : [];
  });
}
