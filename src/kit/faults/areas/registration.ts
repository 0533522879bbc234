/** Wrong answers to clients that register themselves (RFC 7591, RFC 7592). */

import { decodeText } from "../../../ground/values/octets.ts";
import type { Members } from "../../../ground/values/members.ts";
import { without } from "../../../server/oauth/contracts/seams.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";
import {
  answerGrant,
  answerInstead,
  busyAnswer,
  type Change,
  changeJson,
  jsonAnswer,
  refusalAnswer,
  removing,
  setting,
} from "../changes.ts";
import { moreThan, startsLogin, to, trustsOtherServer } from "../finds.ts";
import type { CreateActs } from "../misbehaviour.ts";
import { type Find, headerOf, type Seen } from "../seen.ts";

export const registration: FaultsOf<"registration"> = faultsOf("registration", {
  level: "hardening",
  phase: "register",
  needs: ["registration"],
  tolerated: { watch: { sign: startsLogin } },
}, {
  auth_method_changed: {
    server:
      "The registration has the authentication private_key_jwt and no secret, instead of what the client wanted.",
    client: "Checks the authentication, and does not begin a login that it cannot end.",
    rule: "RFC 7591 §3.2.1",
    watch: { never: usesRegistration },
    acts: changeRegistration((registered) => ({
      ...without(registered, "client_secret", "client_secret_expires_at"),
      token_endpoint_auth_method: "private_key_jwt",
    })),
  },
  client_forgotten: {
    level: "robustness",
    server: "The token endpoint answers invalid_client to the first registered client.",
    client: "Registers again, once.",
    rule: "RFC 6749 §5.2; MCP 2026-07-28, Dynamic Client Registration",
    bugs: ["mcp2cli#50", "opencode#35625"],
    watch: {
      never: moreThan(3, to("register", isRegistration)),
      sign: to("register", isRegistration),
      signSays: "registered again",
      // The application around the client may register, report the error, or swallow it.
      wordProvesNothing: true,
    },
    acts(tools) {
      let forgotten: string | undefined;
      return answerGrant("authorization_code", async (_tools, { exchange }) => {
        // A public client, and one that posts its secret, is named in the form.
        const form = new URLSearchParams(await exchange.body());
        const client = exchange.request.header("authorization") ?? form.get("client_id") ?? "";
        forgotten ??= client;
        return client === forgotten ? unknownClient : undefined;
      })(tools);
    },
  },
  client_id_missing: {
    server: "The registration has no client_id.",
    client: "Refuses the registration.",
    rule: "RFC 7591 §3.2.1",
    watch: { never: usesNoId },
    acts: changeRegistration(removing("client_id")),
  },
  client_uri_foreign: {
    needs: ["registration_management"],
    server: "The registration_client_uri is on a foreign host.",
    client: "Does not send the registration access token to that host.",
    rule: "RFC 7592 §3, §5",
    watch: { never: trustsOtherServer },
    acts: changeRegistration(
      setting(({ otherServer }) => ({ registration_client_uri: `${otherServer}/register/1` })),
    ),
  },
  credentials_hard: {
    level: "must",
    needs: ["registered_secret"],
    server:
      "The client secret of the registration contains : + % / = and a space. The token endpoint refuses the client.",
    client: "Encodes the secret as in a form, before it writes both into the header or the body.",
    rule: "RFC 6749 §2.3.1, Appendix B",
    watch: {
      never: sendsSecret((secret) => secret !== undefined && secret !== hardSecret),
      sign: sendsSecret((secret) => secret === hardSecret),
      signSays: "encoded the secret",
      // The server knows another secret, so no client succeeds.
      wordProvesNothing: true,
    },
    acts: changeRegistration((registered) =>
      "client_secret" in registered ? { ...registered, client_secret: hardSecret } : registered
    ),
  },
  grant_types_reduced: {
    level: "robustness",
    server:
      "The registration has the grant type authorization_code only, although the client wanted refresh_token, too.",
    client: "Works without refresh tokens.",
    rule: "RFC 7591 §3.2.1: the client decides whether that is enough",
    bugs: ["python-sdk#1650", "zed#53784"],
    acts: changeRegistration(setting({ grant_types: ["authorization_code"] })),
  },
  management_missing: {
    level: "robustness",
    server: "The registration has a registration_client_uri, but no registration access token.",
    client: "Uses the registration, and does not manage it.",
    rule: "RFC 7592 §3: a duty of the server",
    acts: changeRegistration(removing("registration_access_token")),
  },
  rate_limited: {
    server: "The registration is refused with the status 429 and a Retry-After of a minute.",
    client: "Waits, or gives up.",
    rule: "RFC 6585 §4; RFC 9110 §10.2.3",
    watch: { never: moreThan(2, to("register", isRegistration)) },
    acts: answerInstead("register", busyAnswer(429, "60")),
  },
  redirect_uris_changed: {
    server: "The registration has another redirect URI than the one that the client wanted.",
    client: "Checks the redirect URIs, and does not begin a login with one that is not registered.",
    rule: "RFC 7591 §3.2.1",
    watch: { never: usesRegistration },
    acts: changeRegistration(setting(({ otherServer }) => ({ redirect_uris: [`${otherServer}/callback`] }))),
  },
  refused: {
    server: "The registration is refused with invalid_redirect_uri.",
    client: "Reports the error, and does not send the same registration again and again.",
    rule: "RFC 7591 §3.2.2",
    watch: { never: moreThan(3, to("register", isRegistration)) },
    acts: answerInstead(
      "register",
      refusalAnswer("invalid_redirect_uri", "The host of the redirect URI is not allowed"),
    ),
  },
  scope_reduced: {
    server: "The registration has the scope openid only.",
    client: "Asks for no other scope.",
    rule: "RFC 7591 §2, §3.2.1",
    watch: {
      never: asksFor((scope) => scope !== "openid"),
      sign: asksFor((scope) => scope === "openid"),
      signSays: "asked for no other scope",
    },
    acts: changeRegistration(setting({ scope: "openid" })),
  },
  secret_expired: {
    needs: ["registered_secret"],
    server: "The client_secret_expires_at of the registration is in the past.",
    client: "Does not use the secret: it registers again, or gives up.",
    rule: "RFC 7591 §3.2.1",
    watch: { never: usesSecret },
    acts: changeRegistration(setting(({ findPast }) => ({ client_secret_expires_at: findPast() }))),
  },
  unknown_client_as_invalid_grant: {
    server:
      "The token endpoint has forgotten the client, and answers invalid_grant instead of invalid_client.",
    client: "Stops after a few logins, or registers again.",
    rule: "RFC 6749 §5.2",
    bugs: ["better-auth#11035"],
    watch: { never: moreThan(3, startsLogin), sign: to("register", isRegistration) },
    acts: answerGrant("authorization_code", refusalAnswer("invalid_grant", "The client is unknown")),
  },
  unknown_members: {
    level: "robustness",
    server: "The registration has members that no standard knows.",
    client: "Ignores them.",
    rule: "RFC 7591 §3.2.1: there may be others, but no rule says that a client ignores them",
    acts: changeRegistration(setting({ x_owner: { name: "eu" }, x_expires: null })),
  },
});

/** A new registration has another client_id. */
function usesRegistration(later: readonly Seen[], acted: readonly Seen[]): readonly Seen[] {
  const clientId = registeredId(acted);
  return startsLogin(later, acted).filter(({ params }) => params.get("client_id") === clientId);
}

function registeredId([first]: readonly Seen[]): unknown {
  return parseJsonObject(first?.entry.response.body ?? "")?.["client_id"];
}

/** Finds logins without a client_id, or with the text of a missing value in its place. */
function usesNoId(later: readonly Seen[], acted: readonly Seen[]): readonly Seen[] {
  return startsLogin(later, acted).filter(({ params }) =>
    ["", "undefined", "null", "None"].includes(params.get("client_id") ?? "")
  );
}

/** Changes the answer to a new registration, and to requests that read it. */
function changeRegistration(change: Change<Members>): CreateActs {
  return changeJson("register", change);
}

const unknownClient = jsonAnswer(
  401,
  { error: "invalid_client", error_description: "The client is unknown" },
  {
    "www-authenticate": 'Basic realm="token"',
  },
);

/** Whether the request registers a client, and does not read a registration. */
function isRegistration({ entry: { request } }: Seen): boolean {
  return request.method === "POST";
}

function usesSecret(later: readonly Seen[], acted: readonly Seen[]): readonly Seen[] {
  const clientId = encodeURIComponent(`${registeredId(acted)}`);
  return to("token", (seen) => {
    const [, credentials = ""] = /^basic (.+)$/i.exec(headerOf(seen, "authorization") ?? "") ?? [];
    return decodeText(credentials, "base64").startsWith(`${clientId}:`) ||
      seen.params.has("client_secret") && seen.params.get("client_id") === registeredId(acted);
  })(later, acted);
}

function asksFor(matches: (scope: string) => boolean): Find {
  return (later, acted) =>
    usesRegistration(later, acted).filter(({ params }) =>
      (params.get("scope") ?? "").split(" ").some(matches)
    );
}

const hardSecret = "a:b+c%20d/e= f";

/** Reads the secret of the registered client in token requests. A text with a wrong encoding is read as far as it goes. */
function sendsSecret(matches: (secret: string | undefined) => boolean): Find {
  return (later, acted) =>
    to("token", (seen) => {
      const [, credentials = ""] = /^basic (.+)$/i.exec(headerOf(seen, "authorization") ?? "") ?? [];
      const [, text] = /^[^:]*:(.*)$/s.exec(decodeText(credentials, "base64")) ?? [];
      const decoded = text === undefined
        ? undefined
        : new URLSearchParams(`secret=${text.replaceAll("&", "%26")}`);
      return matches(decoded?.get("secret") ?? seen.params.get("client_secret") ?? undefined);
    })(later, acted);
}
