/** Wrong token responses (RFC 6749 §5). */

import { textOf } from "../../../ground/http/body.ts";
import { withHeaders } from "../../../ground/http/message.ts";
import {
  answerInstead,
  changeResponse,
  changeText,
  changeTokens,
  redirectAnswer,
  redirectElsewhere,
  removing,
  setting,
} from "../changes.ts";
import {
  any,
  callsOtherServer,
  moreThan,
  refreshes,
  refreshesWithScope,
  repeatsCode,
  trustsOtherServer,
  usesAccessToken,
  usesReceivedToken,
  where,
} from "../finds.ts";
import type { CreateActs, Tools } from "../misbehaviour.ts";
import { writeNeighbour } from "../neighbours.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";
import { type Find, headerOf } from "../seen.ts";

const firstOfTwo = "token-of-another-client";

/** Finds refreshes that follow another one, before the client has used the token of that one. */
const refreshesUnused: Find = (later, acted) => {
  const steps = any(refreshes, usesAccessToken)(later, acted);
  const found = refreshes(steps, acted);
  return found.filter((seen) => found.includes(steps[steps.indexOf(seen) - 1]!));
};

/** A client that believes the time would refresh again and again. It may refresh once for each use of a token. */
const asksAgain = { phase: "refresh", watch: { never: moreThan(2, refreshesUnused) } } as const;

export const tokenResponse: FaultsOf<"token_response"> = faultsOf("token_response", {
  level: "hardening",
  phase: "login",
  watch: { never: usesReceivedToken, invisible: true },
  tolerated: { watch: { sign: usesAccessToken } },
}, {
  access_token_empty: {
    server: "The access token in the token response is an empty text.",
    client: "Refuses the response, and sends no request without a token.",
    rule: "RFC 6749 §5.1, Appendix A.12",
    acts: changeTokens(setting({ access_token: "" })),
  },
  access_token_missing: {
    server: "The token response has no access token.",
    client: "Refuses the response, because an access token is required.",
    rule: "RFC 6749 §5.1: the member is required, but no rule says what a client does without it",
    acts: changeTokens(removing("access_token")),
  },
  access_token_not_text: {
    server: "The access token in the token response is an object instead of a text.",
    client: "Refuses the response.",
    rule: "RFC 6749 §5.1, Appendix A.12",
    acts: changeTokens((members) => ({ ...members, access_token: { value: members["access_token"] } })),
  },
  byte_order_mark: {
    level: "robustness",
    server: "The JSON of the token response begins with a byte order mark.",
    client: "Ignores the mark.",
    rule: "RFC 8259 §8.1: a parser may ignore the mark, or refuse it",
    acts: changeTokenText((text) => `\ufeff${text}`),
  },
  cacheable: {
    level: "robustness",
    server: "The token response has no Cache-Control: no-store.",
    client: "Uses the tokens.",
    rule: "RFC 6749 §5.1: a duty of the server",
    acts: changeResponse("token", (answer) => withHeaders(answer, { "cache-control": "private" })),
  },
  content_type_parameters: {
    level: "tolerate",
    server: "The Content-Type of the token response has a charset, and capital letters.",
    client: "Reads the JSON, because media types are case-insensitive and may have parameters.",
    rule: "RFC 9110 §8.3.1; RFC 8259 §11",
    acts: setContentType("Application/JSON; charset=UTF-8"),
  },
  content_type_wrong: {
    server: "The token response has the Content-Type text/html, although its body is the right JSON.",
    client: "Refuses the response, because only application/json is a token response.",
    rule: "RFC 6749 §5.1",
    acts: setContentType("text/html; charset=utf-8"),
  },
  error_and_tokens: {
    server: "The token response has the status 200, an error, and tokens.",
    client: "Refuses the response, and does not use the tokens.",
    rule: "RFC 6749 §5.1, §5.2",
    acts: changeTokens(setting({ error: "access_denied" })),
  },
  error_in_200: {
    server: "The token endpoint reports an error with the status 200.",
    client: "Refuses the response, because it has no access token.",
    rule: "RFC 6749 §5.1, §5.2: duties of the server",
    bugs: ["CVE-2021-41580", "authproxy#176"],
    acts: changeTokens(() => ({
      error: "bad_verification_code",
      error_description: "The code is not valid",
    })),
  },
  escapes: {
    level: "tolerate",
    server: "The JSON of the token response has line breaks, and escapes for letters.",
    client: "Reads the JSON with a parser.",
    rule: "RFC 8259 §2, §7, §9",
    acts: changeTokenText((text) => JSON.stringify(JSON.parse(text), null, 2).replaceAll("e", "\\u0065")),
  },
  expires_in_huge: {
    ...asksAgain,
    server: "The token response counts expires_in in nanoseconds.",
    client: "Refuses or limits the value, and does not refresh again and again because a timer overflows.",
    rule: "RFC 6749 §5.1",
    bugs: ["mockoidc#38"],
    acts: changeTokens(setting({ expires_in: 3_600_000_000_000 })),
  },
  expires_in_missing: {
    level: "robustness",
    server: "The token response has no expires_in.",
    client: "Uses the token until a resource server refuses it.",
    rule: "RFC 6749 §5.1: the member is recommended",
    acts: changeTokens(removing("expires_in")),
  },
  expires_in_negative: {
    ...asksAgain,
    server: "The expires_in of each token response is negative.",
    client: "Refuses the value, or refreshes once for each use of a token at most.",
    rule: "RFC 6749 §5.1, Appendix A.14",
    acts: changeTokens(setting({ expires_in: -3600 })),
  },
  expires_in_text: {
    level: "robustness",
    server: "The expires_in of the token response is text instead of a number.",
    client: "Reads the number in the text.",
    rule:
      "RFC 6749 §5.1, Appendix A.14: the value is a number, but no rule says what a client does otherwise",
    bugs: ["simple-oauth2#115"],
    acts: changeTokens((members) => ({ ...members, expires_in: `${members["expires_in"]}` })),
  },
  expires_in_zero: {
    ...asksAgain,
    server: "The expires_in of each token response is zero.",
    client: "Uses or refreshes each token once, and does not refresh again and again.",
    rule: "RFC 6749 §5.1, Appendix A.14",
    acts: changeTokens(setting({ expires_in: 0 })),
  },
  form_encoded: {
    server: "The token response is form-encoded instead of JSON.",
    client: "Refuses the response, because only JSON is a token response.",
    rule: "RFC 6749 §5.1",
    acts: changeTokenText(
      (text) => `${new URLSearchParams(JSON.parse(text))}`,
      "application/x-www-form-urlencoded",
    ),
  },
  html: {
    level: "must",
    server: "The token endpoint answers with the status 200 and an HTML page.",
    client: "Refuses the response, and does not send the code a second time.",
    rule: "RFC 6749 §4.1.2, §5.1",
    bugs: ["authproxy#176"],
    watch: { never: any(repeatsCode, usesReceivedToken) },
    acts: changeTokenText(() => "<!doctype html><title>Sign in to the network</title>", "text/html"),
  },
  members_twice: {
    server: "The token response has two access tokens. The first one comes from elsewhere.",
    client: "Takes the last one, as most parsers do, or refuses the response.",
    rule:
      "RFC 8259 §4: a member that occurs twice is read in several ways; RFC 6749 §3.2: a duty of the server",
    watch: {
      never: where(usesAccessToken, (seen) => headerOf(seen, "authorization")?.endsWith(firstOfTwo) === true),
    },
    acts: changeTokenText((text) => `{"access_token":"${firstOfTwo}",${text.slice(1)}`),
  },
  members_unknown: {
    level: "tolerate",
    server: "The token response has members that no standard of the client defines.",
    client: "Ignores the members.",
    rule: "RFC 6749 §5.1",
    acts: changeTokens(setting({
      ext_expires_in: "3599",
      "not-before-policy": 0,
      session: { id: 7, tags: ["a", null] },
    })),
  },
  nested_deeply: {
    level: "robustness",
    server: "The token response has an unknown member of 2,000 lists, one inside of the other.",
    client: "Ignores the member.",
    rule: "RFC 6749 §5.1; RFC 8259 §9: a parser may limit the depth",
    acts: changeTokenText((text) =>
      `{"https://as.test/deep":${"[".repeat(2000)}${"]".repeat(2000)},${text.slice(1)}`
    ),
  },
  redirect_get: {
    server:
      "The token endpoint redirects with the status 303 to a foreign server, which answers with tokens.",
    client: "Does not follow the redirect, and accepts tokens from the token endpoint only.",
    rule: "RFC 6749 §5.1; RFC 9110 §15.4.4",
    watch: { never: callsOtherServer },
    acts: answerInstead("token", ({ otherServer }) => redirectAnswer(`${otherServer}/token`, 303)),
  },
  redirect_post: {
    server: "The token endpoint redirects with the status 307 to another origin.",
    client: "Does not send the code and the verifier there.",
    rule: "RFC 9110 §15.4.8; RFC 9700 §4.12",
    watch: { never: trustsOtherServer },
    acts: answerInstead("token", redirectElsewhere("token")),
  },
  refresh_token_missing: {
    level: "robustness",
    server: "The token response has no refresh token, which it usually has.",
    client: "Uses the access token, and begins a new login when it has expired.",
    rule: "RFC 6749 §1.5, §5.1: a refresh token is optional",
    acts: changeTokens(removing("refresh_token")),
  },
  scope_less: {
    level: "robustness",
    server: "The token response says that the server grants less scope than the client asked for.",
    client: "Goes on with the scope that it has got.",
    rule: "RFC 6749 §3.3, §5.1: the client decides whether that is enough",
    acts: changeScope((scope) => scope.filter((each) => each !== "email" && each !== "profile")),
  },
  scope_missing: {
    level: "tolerate",
    server: "The token response has no scope, which means the scope of the request.",
    client: "Goes on with the scope that it has asked for.",
    rule: "RFC 6749 §5.1",
    acts: changeTokens(removing("scope")),
  },
  scope_more: {
    server: "The server grants a scope for which the client has not asked.",
    client: "Refuses the response, or reports the additional scope.",
    rule: "RFC 6749 §3.3, §5.1",
    control: "token_response.scope_order",
    watch: { never: refreshesWithScope("admin"), invisible: true },
    acts: changeScope((scope, { variant }) => [...scope, writeNeighbour(variant, scope[0] ?? "", "admin")]),
  },
  scope_order: {
    level: "tolerate",
    server: "The scope of the token response has another order than the one of the request.",
    client: "Compares the scopes as sets.",
    rule: "RFC 6749 §3.3",
    acts: changeScope((scope) => scope.length < 2 ? scope : [...scope].reverse()),
  },
  token_type_case: {
    level: "tolerate",
    server: "The token_type of the token response is in capital letters.",
    client: "Uses the token, because the value is case-insensitive.",
    rule: "RFC 6749 §5.1",
    acts: changeTokens((members) => changeText(members, "token_type", (type) => type.toUpperCase())),
  },
  token_type_missing: {
    server: "The token response has no token_type.",
    client: "Does not use the access token, because it cannot know how.",
    rule:
      "RFC 6749 §5.1: the member is required, but §7.1 is about a type that the client does not understand",
    watch: { never: usesReceivedToken },
    acts: changeTokens(removing("token_type")),
  },
  token_type_unknown: {
    level: "must",
    server: "The token_type of the token response is not the usual one.",
    client: "Does not use an access token of a type that it does not understand.",
    rule: "RFC 6749 §7.1",
    watch: { never: usesReceivedToken },
    acts: changeTokens((members, { variant }) =>
      changeText(members, "token_type", (type) => writeNeighbour(variant, type, "mac"))
    ),
  },
  truncated: {
    level: "must",
    server: "The token response ends in the middle of the JSON.",
    client: "Refuses the response, and does not send the code a second time.",
    rule: "RFC 6749 §4.1.2; RFC 8259 §2",
    watch: { never: any(repeatsCode, usesReceivedToken) },
    acts: changeTokenText((text) => text.slice(0, Math.ceil(text.length / 2))),
  },
});

function changeScope(change: (scope: readonly string[], tools: Tools) => readonly string[]): CreateActs {
  return changeTokens((members, tools) =>
    changeText(members, "scope", (scope) => change(scope.split(" "), tools).join(" "))
  );
}

/** Changes the text of successful token responses, and their Content-Type if there is another one. */
function changeTokenText(change: (text: string) => string, contentType?: string): CreateActs {
  return changeResponse("token", (answer) => {
    if (answer.status !== 200) return answer;
    const changed = { ...answer, body: change(textOf(answer.body)) };
    return contentType === undefined ? changed : withHeaders(changed, { "content-type": contentType });
  });
}

function setContentType(contentType: string): CreateActs {
  return changeTokenText((text) => text, contentType);
}
