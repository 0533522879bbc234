/** Wrong answers to refresh requests (RFC 6749 §6; OpenID Connect Core §12). */

import {
  answerGrant,
  answerInstead,
  busyAnswer,
  type Change,
  changeAt,
  changeClaims,
  changeResponse,
  changeSigned,
  changeText,
  changeTokens,
  invalidToken,
  readGrantType,
  refusalAnswer,
  removing,
  setting,
  writeUnsigned,
} from "../changes.ts";
import type { Members } from "../../../ground/values/members.ts";
import {
  any,
  moreThan,
  refreshes,
  refreshesWithScope,
  repeatsAccessToken,
  startsLogin,
  usesAccessToken,
  usesReceivedToken,
  where,
} from "../finds.ts";
import type { ActContext, CreateActs } from "../misbehaviour.ts";
import { changeAudience, writeNeighbour } from "../neighbours.ts";
import type { Seen } from "../seen.ts";
import { createHardSpelling, createSpelling, isHard } from "../spelling.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";

/** Finds refresh requests that have the text of a missing value as their refresh token. */
const refreshesWithoutToken = where(
  refreshes,
  (seen) => ["", "undefined", "null"].includes(tokenOf(seen) ?? ""),
);

const refreshesWithReplacedToken = where(
  refreshes,
  (seen, acted) =>
    acted.some((earlier) => tokenOf(earlier) === tokenOf(seen) && isAnsweredBefore(earlier, seen)),
);

const refreshesWithReceivedToken = where(
  refreshes,
  (seen, acted) => acted.some(({ entry: { response } }) => response.body?.includes(`"${tokenOf(seen)}"`)),
);

/** An ID token that differs from the first one. */
const wrongIdToken = {
  rule: "OpenID Connect Core §12.2: a duty of the server",
  watch: { never: usesReceivedToken, invisible: true },
} as const;

/** A refresh has a token response (§12.2), of which a client validates the ID token (§3.1.3.5 (2)). */
const invalidIdToken = {
  ...wrongIdToken,
  level: "must",
  client: "Refuses the ID token, because each ID token is validated, not only the first.",
} as const;

const validation = "OpenID Connect Core §12.2, §3.1.3.5 (2)";

export const refresh: FaultsOf<"refresh"> = faultsOf("refresh", { level: "hardening", phase: "refresh" }, {
  endless: {
    phase: "call_api",
    needs: ["refresh_token"],
    server: "The API refuses every access token, even one of a refresh that has just succeeded.",
    client: "Refreshes once, and then reports that the API refuses the token.",
    rule: "RFC 6750 §3.1",
    bugs: ["inspector#633"],
    watch: {
      never: moreThan(2, refreshes),
      sign: refreshes,
      signSays: "refreshed, and then stopped",
      // A client that never refreshes does not show whether it would stop.
      wordProvesNothing: true,
    },
    acts: answerInstead(
      "resource",
      (_tools, { exchange: { request } }) =>
        request.header("authorization") === undefined ? undefined : invalidToken,
    ),
  },
  id_token_alg_none: {
    ...invalidIdToken,
    level: "should",
    server: "The ID token of a refresh has the alg none and no signature.",
    rule: `${validation}, §3.1.3.7 (7); RFC 8725 §3.2`,
    acts: changeSigned("id_token", (jwt, _tools, at) => isRefresh(at) ? writeUnsigned(jwt) : jwt.text),
  },
  id_token_auth_time: {
    ...wrongIdToken,
    server:
      "The ID token of a refresh has the time of the refresh as auth_time, although the person did not sign in.",
    client: "Refuses an auth_time that differs from the one of the first ID token.",
    needs: ["id_token_auth_time"],
    acts: changeIdToken((claims, { now }) =>
      claims["auth_time"] === undefined ? claims : { ...claims, auth_time: Math.floor(now()) + 1 }
    ),
  },
  id_token_azp: {
    ...wrongIdToken,
    server: "The ID token of a refresh has another azp than the first ID token.",
    client: "Refuses the ID token.",
    acts: changeIdToken(setting({ azp: "another-client" })),
  },
  id_token_exp_past: {
    ...invalidIdToken,
    server: "The ID token of a refresh has expired.",
    rule: `${validation}, §3.1.3.7 (9)`,
    // The other times stay, because a client may compare the auth_time with that of the first ID token.
    acts: changeIdToken(setting(({ findPast }) => ({ exp: findPast() }))),
  },
  id_token_missing: {
    level: "robustness",
    server: "The response to a refresh has no ID token.",
    client: "Goes on with the first ID token.",
    rule: "OpenID Connect Core §12.2: an ID token is optional",
    watch: {},
    acts: changeRefreshed(removing("id_token")),
  },
  id_token_nonce: {
    ...wrongIdToken,
    server: "The ID token of a refresh has another nonce than the first ID token.",
    client: "Refuses the ID token.",
    acts: changeIdToken(setting({ nonce: "nonce-of-another-login" })),
  },
  id_token_other_audience: {
    ...invalidIdToken,
    server: "The aud of the ID token of a refresh is another client.",
    rule: `${validation}, §3.1.3.7 (3)`,
    acts: changeIdToken((claims, tools) => changeAudience(claims, tools, "another-client")),
  },
  id_token_other_issuer: {
    ...invalidIdToken,
    server: "The ID token of a refresh has another iss than the first ID token.",
    rule: `${validation}, §3.1.3.7 (2)`,
    acts: changeIdToken(setting(({ otherServer }) => ({ iss: otherServer }))),
  },
  id_token_other_subject: {
    ...wrongIdToken,
    level: "must",
    server: "The ID token of a refresh is about another person than the first ID token.",
    client: "Refuses the ID token, and does not use the new access token.",
    // The tests of OpenID for clients demand it, too.
    rule: "OpenID Connect Core §12.2",
    acts: changeIdToken((claims, { variant }) => ({
      ...claims,
      sub: writeNeighbour(variant, `${claims["sub"]}`, "another-person"),
    })),
  },
  invalid_grant: {
    server: "The server refuses every refresh token as no longer valid.",
    client: "Gives the refresh token up, and begins a new login at most.",
    rule: "RFC 6749 §5.2, §6",
    watch: { never: moreThan(2, refreshes), sign: startsLogin, signSays: "began a new login" },
    acts: answerGrant("refresh_token", refusalAnswer("invalid_grant", "The refresh token is not valid")),
  },
  not_rotated: {
    level: "tolerate",
    server: "The response to a refresh has no refresh token, which means that the old one stays valid.",
    client: "Keeps the old refresh token.",
    rule: "RFC 6749 §6",
    settings: { server: { lifetimes: { refreshGrace: 86400 } } },
    watch: { never: refreshesWithoutToken },
    acts: changeRefreshed(removing("refresh_token")),
  },
  response_lost: {
    server: "The connection breaks after the server has replaced the refresh token, before the response.",
    client: "Tries once more at most, and then begins a new login.",
    rule: "RFC 9700 §4.14.2: a duty of the server, which may take a further use for theft",
    watch: {
      never: moreThan(2, refreshes),
      sign: startsLogin,
      lossIsRefusal: true,
      refusalSays: "stopped refreshing",
    },
    acts: changeResponse("token", (answer, _tools, at) => {
      if (!isRefresh(at) || answer.status !== 200) return answer;
      at.drop();
      return { ...answer };
    }),
  },
  scope_less: {
    level: "robustness",
    server: "The response to a refresh says that the new access token has less scope than the old one.",
    client: "Goes on with the scope that it has got.",
    rule: "RFC 6749 §3.3, §5.1: the client decides whether that is enough",
    watch: { sign: usesAccessToken },
    acts: changeRefreshedScope((scope) => scope.replace(/ ?\b(email|profile)\b/g, "")),
  },
  scope_more: {
    server: "The response to a refresh grants a scope that the old access token did not have.",
    client: "Refuses the response, or reports the additional scope.",
    rule: "RFC 6749 §6: a duty of the server",
    watch: { never: refreshesWithScope("admin"), invisible: true },
    acts: changeRefreshedScope((scope) => `${scope} admin`),
  },
  slow: {
    server: "Each refresh takes a moment.",
    client: "Sends one refresh at a time, and lets its other callers wait for the result.",
    rule: "RFC 9700 §4.14.2: a duty of the server, which may take a further use for theft",
    needs: ["two_refreshes"],
    bugs: ["okhttp#9433", "neondatabase/mcp-server-neon#233", "local-operator#345"],
    watch: {
      never: repeatsToken,
      neverSays: "sent a refresh token a second time",
      sign: moreThan(1, usesAccessToken),
    },
    acts: changeAt("arrival", async (value, { wait }, at) => {
      if (await readGrantType(at) !== "refresh_token") return value;
      await wait(0.05);
      return { ...value };
    }),
  },
  revoked_early: {
    phase: "call_api",
    needs: ["refresh_token"],
    server: "The access token dies long before its expires_in is over, and the API refuses it.",
    client: "Refreshes the token, or reports the refusal, and does not send the dead token again and again.",
    rule: "RFC 6750 §3.1",
    bugs: ["claude-code#89862"],
    watch: {
      never: moreThan(2, repeatsAccessToken(usesAccessToken)),
      sign: refreshes,
      wordProvesNothing: true,
    },
    acts(tools) {
      let dead: string | undefined;
      return answerInstead("resource", (_tools, { exchange: { request } }) => {
        const presented = request.header("authorization");
        dead ??= presented;
        return presented === undefined || presented !== dead ? undefined : invalidToken;
      })(tools);
    },
  },
  rotated: {
    level: "must",
    needs: ["kept_refresh_token"],
    server:
      "Each refresh replaces the refresh token, although the server has to keep it, as FAPI 2.0 demands.",
    client: "Replaces the old refresh token by the new one.",
    rule: "RFC 6749 §6; FAPI 2.0 Security Profile §5.3.2.1-9: a duty of the server",
    prepares: ["arrival"],
    watch: {
      never: refreshesWithReplacedToken,
      sign: refreshesWithReceivedToken,
      signSays: "used the new refresh token",
      // A client that refreshes once does not show which token it keeps.
      wordProvesNothing: true,
    },
    acts() {
      let count = 0;
      const { acts, spell } = createSpelling(
        ["refresh_token", "token"],
        (secret) => `${secret}.rotated-${count += 1}`,
      );
      return {
        ...acts,
        async token_response(value, at) {
          const { members } = value;
          const { refresh_token: token } = members;
          if (!isRefresh(at) || typeof token !== "string") return value;
          const sent = new URLSearchParams(await at.exchange.body()).get("refresh_token");
          return token === sent ? { ...value, members: { ...members, refresh_token: spell(token) } } : value;
        },
      };
    },
  },
  token_hard: {
    level: "tolerate",
    server: "The refresh token has more than 2,000 characters, among them + / = % & and a space.",
    client: "Keeps all of it, and encodes it in the token request.",
    rule: "RFC 6749 §6, Appendix A.17, Appendix B",
    prepares: ["arrival"],
    watch: { sign: where(refreshes, ({ params }) => isHard(params.get("refresh_token"))) },
    acts(tools) {
      const { acts, spell } = createHardSpelling(["refresh_token", "token"]);
      return { ...acts, ...changeTokens((members) => changeText(members, "refresh_token", spell))(tools) };
    },
  },
  token_type_unknown: {
    level: "must",
    server: "The token_type of a refresh is mac, although that of the login was another one.",
    client: "Does not use an access token of a type that it does not understand.",
    rule: "RFC 6749 §7.1",
    watch: { never: usesReceivedToken },
    acts: changeRefreshed(setting({ token_type: "mac" })),
  },
  unavailable: {
    server: "The token endpoint is unavailable during a refresh.",
    client: "Keeps the refresh token and tries again later, instead of sending the person to a new login.",
    rule: "RFC 9110 §15.6.4; RFC 6749 §5.2",
    watch: {
      never: any(startsLogin, moreThan(3, refreshes)),
      sign: refreshes,
      signSays: "kept the refresh token, and tried again",
      // The application around the client decides what becomes of an error.
      wordProvesNothing: true,
    },
    acts: answerGrant("refresh_token", busyAnswer(503, "120")),
  },
});

function changeRefreshed(change: Change<Members>): CreateActs {
  return changeTokens((members, tools, at) => isRefresh(at) ? change(members, tools, at) : members);
}

function changeRefreshedScope(change: (scope: string) => string): CreateActs {
  return changeRefreshed((members) => changeText(members, "scope", change));
}

function changeIdToken(change: Change<Members>): CreateActs {
  return changeClaims("id_token", (claims, tools, at) => isRefresh(at) ? change(claims, tools, at) : claims);
}

function isRefresh({ exchange: { facts } }: ActContext): boolean {
  return facts.grantType === "refresh_token";
}

function tokenOf({ params }: Seen): string | null {
  return params.get("refresh_token");
}

/** Requests at the same time may have the same token. */
function isAnsweredBefore({ entry: { id, receivedAt, duration } }: Seen, { entry }: Seen): boolean {
  return id !== entry.id && receivedAt + duration <= entry.receivedAt;
}

function repeatsToken(_later: readonly Seen[], acted: readonly Seen[]): readonly Seen[] {
  return acted.filter((seen, index) =>
    acted.slice(0, index).some((earlier) => tokenOf(earlier) === tokenOf(seen))
  );
}
