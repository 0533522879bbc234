/** What the matchers and the assertions of all test runners judge: what a client did, by the journal of a mock. */

import { judgeAudience } from "../../server/client/judge_token.ts";
import { parseJwt } from "../../ground/crypto/jwt_parts.ts";
import { describeCall, describeOutcome } from "../mock/journal/describe_request.ts";
import { findTokens } from "../mock/journal/find_tokens.ts";
import type { RecordedRequest } from "../mock/journal/recorded_request.ts";
import type { RequestScope } from "../mock/journal/request_list.ts";
import type { Tenant } from "../mock/tenant.ts";
import { usernameIn } from "../mock/terms/username_in.ts";
import { requireTerms, types } from "../mock/terms/known_options.ts";
import { present } from "../../ground/values/present.ts";

/** What is judged: a mock, or a tenant of it. */
export type Judged = Pick<Tenant, "requests">;

/** For whom a token should be. */
export interface RecipientTerms {
  /** The mock, or the tenant, that issued the token. */
  readonly by: Judged;
  /** The client id. */
  readonly client?: string;
  /** The username. */
  readonly username?: string;
  /** @deprecated Use `username`. */
  readonly person?: string;
  /** An audience that the token should have. */
  readonly audience?: string;
}

export interface Judgement {
  readonly passed: boolean;
  /** Ends the sentence that begins with "Expected". */
  readonly claim: readonly [subject: string, predicate: string];
  /** What the claim means. */
  readonly expected: string;
  /** What the journal has instead, or what proves the claim. */
  readonly received: readonly string[];
}

/** With `isNot`, the claim should have been false. */
export function explainJudgement(
  { claim: [subject, predicate], ...values }: Judgement,
  isNot: boolean,
): string {
  return [
    `Expected ${subject} ${isNot ? "not " : ""}${predicate}`,
    `expected  ${isNot ? "not: " : ""}${values.expected}`,
    ...values.received.map((each, at) => `${at === 0 ? "received" : "        "}  ${each}`),
  ].join("\n");
}

/** The client redeemed at least one code, and each with PKCE and a verifier of its own (RFC 7636 §4.1). */
export function judgePkce(as: unknown, scope: RequestScope = {}): Judgement {
  const sent = listTokenRequests("authorization_code", as, scope);
  const redeemed = sent.filter(({ outcome }) => outcome === "ok");
  const repeated = countRepeated(redeemed.map(readVerifier));
  return {
    passed: redeemed.length > 0 && redeemed.every(({ pkce }) => pkce === "S256") && repeated === 0,
    claim: [nameClient(scope), "to have used PKCE"],
    expected: "each code is redeemed with PKCE S256, and with a code_verifier of its own",
    received: [
      ...describeCalls(sent, "no request that redeems a code"),
      ...(repeated === 0 ? [] : [`${repeated} of these requests have the code_verifier of another one`]),
    ],
  };
}

function readVerifier(request: RecordedRequest): string | null {
  return new URLSearchParams(request.raw().request.body ?? "").get("code_verifier");
}

function countRepeated(values: readonly (string | null)[]): number {
  return values.filter((value) => value !== null && values.indexOf(value) !== values.lastIndexOf(value))
    .length;
}

/** The client sent one refresh request, and it succeeded. A request that the server let fail (5xx) does not count. */
export function judgeRefresh(as: unknown, scope: RequestScope = {}): Judgement {
  const sent = listTokenRequests("refresh_token", as, scope);
  const answered = sent.filter(({ outcome }) => outcome !== "failed");
  return {
    passed: answered.length === 1 && answered[0]?.outcome === "ok",
    claim: [nameClient(scope), "to have refreshed once"],
    expected: "one refresh request, which succeeds",
    received: describeCalls(sent, "no refresh request"),
  };
}

export function judgeRecipient(token: unknown, terms: RecipientTerms): Judgement {
  requireTerms("judge for whom a token is", terms, types.RecipientTerms);
  if (typeof token !== "string") {
    throw new TypeError("Cannot judge for whom a token is: expected its text, as in tokens.access_token");
  }
  const { by, client, audience } = terms;
  const username = usernameIn(terms);
  const wanted = nameRecipient(present({ client, username, audience }));
  const judgement = {
    claim: ["the token", "to be for this recipient"],
    expected: wanted || "a token of this server",
  } as const;
  const issued = requireJudged(by).requests.toArray().findLast((request) => isIssuedBy(request, token));
  if (issued === undefined) {
    const received = ["a token that is in no response of this server since its start or its reset"];
    return { ...judgement, passed: false, received };
  }
  const { clientId, person: whose, resource = [] } = issued;
  // A token that is no JWT has the audience that the request named.
  const audiences = [parseJwt(token)?.claims["aud"] ?? resource].flat();
  const isFor = judgeAudience("access_token", audiences, audience === undefined ? [] : [audience], "all");
  return {
    ...judgement,
    passed: (client === undefined || client === clientId) && (username === undefined || username === whose) &&
      isFor.result !== "failed",
    received: [nameRecipient({
      ...present({ client: clientId, username: whose }),
      audience: audiences.join(" ") || "none",
    })],
  };
}

function isIssuedBy(request: RecordedRequest, token: string): boolean {
  return findTokens(request.raw(), request.endpoint).some(({ carriedBy, text }) =>
    carriedBy === "response" && text === token
  );
}

function listTokenRequests(grantType: string, as: unknown, scope: RequestScope): readonly RecordedRequest[] {
  return requireJudged(as).requests.token.of(scope).filter((request) => request.grantType === grantType);
}

function requireJudged(as: unknown): Judged {
  if (typeof (Object(as) as Partial<Judged>).requests?.of === "function") return as as Judged;
  throw new TypeError("Cannot judge this: expected the mock, or a tenant of it, as in expect(as)");
}

function nameClient({ client, flow, ...named }: RequestScope): string {
  const username = usernameIn(named);
  return [
    client === undefined ? "the client" : `the client ${client}`,
    ...(username === undefined ? [] : [`with ${username}`]),
    ...(flow === undefined ? [] : [`in the flow ${flow}`]),
  ].join(" ");
}

function nameRecipient({ client, username, audience }: Omit<RecipientTerms, "by" | "person">): string {
  return Object.entries(present({ client, person: username, audience })).map((pair) => pair.join(" ")).join(
    ", ",
  );
}

function describeCalls(requests: readonly RecordedRequest[], none: string): readonly string[] {
  if (requests.length === 0) return [none];
  return requests.map((request) => `${describeCall(request)} → ${describeOutcome(request)}`);
}
