/** Wrong protected resources: their metadata and their challenges (RFC 9728, RFC 6750, RFC 9470). */

import { cancelBody, textOf } from "../../../ground/http/body.ts";
import { type Answer, withHeaders } from "../../../ground/http/message.ts";
import { protectedResourcePath } from "../../../server/oauth/contracts/paths.ts";
import type { Members } from "../../../ground/values/members.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";
import {
  type Change,
  changeJson,
  changeMetadata,
  changeResponse,
  errorAnswer,
  notFound,
  redirectElsewhere,
  removing,
  setting,
} from "../changes.ts";
import {
  afterWrong,
  any,
  callsOtherServer,
  moreThan,
  refreshes,
  registersElsewhere,
  repeatsAccessToken,
  startsLogin,
  to,
  trustsOtherServer,
  where,
} from "../finds.ts";
import type { ActContext, Acts, CreateActs, Tools } from "../misbehaviour.ts";
import { privateServers } from "../names.ts";
import { writeOtherUrl } from "../neighbours.ts";
import type { Need } from "../needs.ts";
import { type Find, headerOf, type Seen } from "../seen.ts";

const usesToken = to("resource", (seen) => headerOf(seen, "authorization") !== undefined);

const readsDescription = to(
  "resource",
  ({ entry: { request: { path } } }) => path.startsWith(protectedResourcePath),
);

const needsMcp: readonly Need[] = ["mcp", "api_metadata"];

export const resource: FaultsOf<"resource"> = faultsOf("resource", {
  level: "hardening",
  phase: "call_api",
  needs: ["api_metadata"],
  tolerated: { watch: { sign: usesToken } },
}, {
  authentication_never_enough: {
    server:
      "The API answers insufficient_user_authentication to every token, even to one of a sign-in that has just happened.",
    client: "Stops after a few logins.",
    rule: "RFC 9470 §3, §4: the challenge says which login the API needs, and a client has just had it",
    watch: { never: moreThan(3, any(refreshes, startsLogin)) },
    acts: changeAccepted((_tools, at) => authenticationRefusal(at)),
  },
  authorization_servers_missing: {
    level: "robustness",
    server: "The metadata of the API names no authorization server.",
    client: "Uses the server that it is configured for, because the member is optional.",
    rule: "RFC 9728 §2: the member is optional",
    acts: changeDescription(removing("authorization_servers")),
  },
  challenge_capitals: {
    level: "tolerate",
    server:
      "The scheme and the names of the parameters in the challenge of the API, which alone names the address of the " +
      "metadata, have capital letters.",
    client: "Reads the challenge, because both are case-insensitive.",
    rule: "RFC 9110 §11.1, §11.2",
    watch: { never: missesDescription, sign: usesToken },
    acts: changeNamed((challenge) =>
      challenge
        .replaceAll(/\b(Bearer|DPoP)\b/g, (scheme) => scheme.toUpperCase())
        .replaceAll(/\b(realm|scope|resource_metadata)=/g, (name) => name.toUpperCase())
    ),
  },
  challenge_garbled: {
    level: "robustness",
    server: "The challenge of the API ends within a quoted text.",
    client: "Ignores the challenge, and looks for the metadata at the usual address.",
    rule: "RFC 9728 §3.1: the address can be computed",
    acts: changeChallenge(() => 'Bearer realm="orders, resource_metadata='),
  },
  challenge_lookalike: {
    server:
      "The realm of the challenge contains the text resource_metadata= and the URL of a foreign server.",
    client: "Reads the realm as one quoted text, and uses the parameter resource_metadata only.",
    rule: "RFC 9110 §5.6.4, §11.2",
    control: "resource.challenges_several",
    watch: { never: callsOtherServer, sign: readsDescription, signSays: "loaded the right description" },
    acts: changeChallenge((challenge, { otherServer }) =>
      challenge.replaceAll(
        /realm="[^"]*"/g,
        `realm="orders, resource_metadata=${otherServer}/metadata, more"`,
      )
    ),
  },
  challenge_missing: {
    level: "tolerate",
    needs: needsMcp,
    server: "The API answers 401 without a challenge.",
    client: "Looks for the metadata at the usual address.",
    rule: "MCP 2026-07-28, Protected Resource Metadata Discovery Requirements; RFC 9728 §3.1",
    acts: changeChallenge(() => undefined),
  },
  challenges_several: {
    level: "tolerate",
    server:
      "The API challenges the client for Negotiate and Basic first, in the same header. Only the challenge for a token " +
      "names the address of the metadata.",
    client: "Reads the header as a list, and uses the challenge for a token.",
    rule: "RFC 9110 §11.6.1",
    bugs: ["typescript-sdk#1946"],
    watch: { never: missesDescription, sign: usesToken },
    acts: changeNamed((challenge) => `Negotiate, Basic realm="intranet, proxy", ${challenge}`),
  },
  description_foreign: {
    level: "must",
    server: "The challenge of the API names metadata on a foreign server, which is of another API.",
    client: "Uses nothing of the metadata, because its resource is not the URL that the client called.",
    rule: "RFC 9728 §3.3",
    // Loading the metadata is no mistake, because its host is the choice of the API.
    watch: { never: moreThan(1, callsOtherServer) },
    acts: changeChallenge((challenge, { otherServer }) =>
      challenge.replaceAll(/resource_metadata="[^"]*"/g, `resource_metadata="${otherServer}/metadata"`)
    ),
  },
  description_mismatch: {
    level: "must",
    server: "The metadata at the address of the API is of another API, and names a foreign server.",
    client: "Uses nothing of the metadata, because its resource is not the URL of the API.",
    rule: "RFC 9728 §3.3",
    watch: { never: callsOtherServer },
    acts: changeDescription((document, { otherServer, variant }) => ({
      ...document,
      resource: writeOtherUrl(variant, `${document["resource"]}`, `${otherServer}/orders`),
      authorization_servers: [otherServer],
    })),
  },
  description_only_at_root: {
    level: "tolerate",
    needs: needsMcp,
    server:
      "The API has its metadata only at the address without its path, and the challenge does not say so.",
    client: "Asks at the address with the path first, and then at the one without.",
    rule: "MCP 2026-07-28, Protected Resource Metadata Discovery Requirements; RFC 9728 §3.1",
    bugs: ["inspector#675"],
    acts: describeAtRoot,
  },
  description_unknown_members: {
    level: "tolerate",
    server: "The metadata of the API has members that no standard knows.",
    client: "Ignores them.",
    rule: "RFC 9728 §3.2",
    acts: changeDescription(setting({ x_region: { name: "eu" }, x_contact: null, x_tier: 3 })),
  },
  insufficient_user_authentication: {
    server: "The API wants a newer sign-in of the person, and answers 401 until the client has started one.",
    client: "Starts a login with the max_age of the challenge, or gives up. A refresh does not help.",
    rule: "RFC 9470 §3, §4",
    watch: {
      never: moreThan(1, refreshes),
      sign: to("authorize", hasParam("max_age", "60")),
      signSays: "asked for a login with max_age=60",
    },
    acts(tools) {
      let first: string | undefined;
      return changeAccepted((_tools, at) => {
        const { flow = "" } = at.exchange.facts;
        first ??= flow;
        return flow === first ? authenticationRefusal(at) : undefined;
      })(tools);
    },
  },
  origin_without_slash: {
    level: "robustness",
    paths: { api: "" },
    server: "The resource of the API is an origin without a slash.",
    client: "Sends the resource exactly so, without a slash.",
    rule:
      "RFC 9728 §3.3, §6: identifiers are compared as text, but RFC 8707 §2 does not say how to write one",
    bugs: ["vercel/ai#13988"],
    watch: {
      never: any(to("authorize", namesWithSlash), to("par", namesWithSlash), to("token", namesWithSlash)),
      sign: usesToken,
    },
    // The metadata is as usual, but the API is not.
    acts: changeApi((answer, _tools, at) =>
      readsMetadata(at) && at.exchange.request.address.path === protectedResourcePath ? { ...answer } : answer
    ),
  },
  path_slash: {
    level: "tolerate",
    paths: { api: "/orders/" },
    server:
      "The resource of the API ends in a slash, and so does the address of its metadata, which nothing else names.",
    client: "Keeps the slash of the path in the address.",
    rule: "RFC 9728 §3.1",
    // A client that knows only the address in the challenge has none here (§5.1).
    watch: { never: missesDescription, sign: usesToken, wordProvesNothing: true },
    acts: changeApi((answer, _tools, at) => {
      if (!readsMetadata(at)) return withoutDescription(answer);
      // The answer is as usual, but its address is not.
      return at.exchange.request.address.path.endsWith("/") ? { ...answer } : notFound;
    }),
  },
  pkce_missing: {
    level: "must",
    needs: ["mcp_server", "api_metadata"],
    server: "The metadata of the authorization server does not say that the server supports PKCE.",
    client: "Begins no login, although it could send a code_challenge.",
    rule: "MCP 2026-07-28, Authorization Code Protection: a duty of MCP clients since 2025-11-25",
    watch: { never: afterWrong("metadata", startsLogin) },
    acts: changeMetadata(removing("code_challenge_methods_supported")),
  },
  redirects_to_foreign_host: {
    level: "must",
    needs: [],
    server: "The API redirects a call to another origin.",
    client: "Does not send the access token there.",
    rule: "RFC 6750 §5.3",
    bugs: ["CVE-2022-0235"],
    watch: { never: trustsOtherServer, refusalSays: "did not send the access token there" },
    acts: changeAccepted(redirectElsewhere("orders")),
  },
  refuses_always: {
    server: "The API answers invalid_token to every token, although the tokens are valid.",
    client: "Stops after a new token was refused, too.",
    rule: "RFC 6750 §3.1",
    bugs: ["inspector#633"],
    watch: { never: moreThan(3, any(refreshes, startsLogin)) },
    acts: changeAccepted((_tools, at) => resourceRefusal(401, { error: "invalid_token" }, at)),
  },
  refuses_early: {
    server: "The API refuses the first token before the end of its lifetime.",
    client: "Gets a new token or gives up, and does not send the refused token again and again.",
    rule: "RFC 6750 §3.1",
    watch: { never: moreThan(1, repeatsAccessToken(usesToken)), sign: any(refreshes, startsLogin) },
    acts(tools) {
      let refused: string | undefined;
      return changeAccepted((_tools, at) => {
        const token = at.exchange.request.header("authorization");
        refused ??= token;
        return token === refused ? resourceRefusal(401, { error: "invalid_token" }, at) : undefined;
      })(tools);
    },
  },
  scope_never_enough: {
    level: "should",
    needs: needsMcp,
    server: "The API answers insufficient_scope to every token, even to one with the scope of the challenge.",
    client: "Stops after a few logins.",
    rule: "MCP 2026-07-28, Step-Up Authorization Flow",
    bugs: ["typescript-sdk#1582"],
    watch: { never: moreThan(3, startsLogin) },
    acts: changeAccepted((_tools, at) => scopeRefusal("orders orders:write", at)),
  },
  scope_only_missing: {
    level: "should",
    needs: needsMcp,
    server:
      "The API answers insufficient_scope, and the challenge names only the scope that the token lacks.",
    client: "Asks for the scope that it has had and for the new one together.",
    rule: "MCP 2026-07-28, Step-Up Authorization Flow (SEP-2350)",
    bugs: ["typescript-sdk#1582", "python-sdk#2676"],
    watch: {
      never: startsLoginWith((scope) => scope.includes("orders:write") && !scope.includes("orders")),
      sign: startsLoginWith((scope) => scope.includes("orders:write") && scope.includes("orders")),
      signSays: "asked for both scopes",
      // A client that gives up has asked for neither.
      wordProvesNothing: true,
    },
    acts: demandWriting("orders:write"),
  },
  scope_wider: {
    server: "The API answers insufficient_scope to a token that has the scope of the first challenge.",
    client: "Starts a login with the wider scope or gives up. A refresh cannot add a scope.",
    rule: "RFC 6750 §3.1; RFC 6749 §6",
    bugs: ["typescript-sdk#2255", "claude-code#28258"],
    watch: {
      never: moreThan(1, refreshes),
      sign: startsLoginWith((scope) => scope.includes("orders:write")),
      signSays: "asked for the wider scope",
    },
    acts: demandWriting("orders orders:write"),
  },
  scopes_supported_disjoint: {
    level: "should",
    needs: needsMcp,
    server: "The scopes_supported of the API do not contain the scope of its challenge.",
    client: "Asks for the scope of the challenge.",
    rule: "MCP 2026-07-28, Scope Selection Strategy",
    watch: {
      never: startsLoginWith((scope) => scope.includes("reports") && !scope.includes("orders")),
      sign: startsLoginWith((scope) => scope.includes("orders")),
      signSays: "asked for the scope of the challenge",
    },
    acts: changeDescription(setting({ scopes_supported: ["reports", "invoices"] })),
  },
  server_moved: {
    level: "must",
    server: "The API refuses the token, and its metadata now names a foreign server.",
    client: "Does not send the refresh token or another credential of the old server to the new one.",
    rule: "RFC 6749 §10.4",
    bugs: ["claude-code#89528", "opencode#47814", "openclaw#112032", "mcpc#389"],
    watch: { never: trustsOtherServer, refusalSays: "sent no credential to the new server" },
    acts(tools) {
      let hasMoved = false;
      return changeApi((answer, { otherServer }, at) => {
        if (hasMoved && readsMetadata(at)) {
          return changeBody(answer, (document) => ({ ...document, authorization_servers: [otherServer] }));
        }
        if (!isAccepted(answer, at)) return answer;
        hasMoved = true;
        cancelBody(answer.body);
        return resourceRefusal(401, { error: "invalid_token" }, at);
      })(tools);
    },
  },
  servers_foreign_first: {
    server: "The metadata of the API names two authorization servers, and the first one is foreign.",
    client: "Uses the server at which it is registered, and sends its client_id to no other.",
    rule: "RFC 9728 §7.6; RFC 9700 §4.4",
    control: "resource.servers_own_first",
    watch: {
      never: registersElsewhere,
      sign: startsLogin,
      signSays: "began the login at its own server",
      refusalSays: "sent its client_id to no other server",
    },
    acts: changeDescription(
      setting(({ otherServer, issuer }) => ({ authorization_servers: [otherServer, issuer] })),
    ),
  },
  servers_own_first: {
    level: "robustness",
    server: "The metadata of the API names two authorization servers, and the second one is foreign.",
    client: "Uses the first server, at which it is registered.",
    rule: "RFC 9728 §2, §7.6: the choice is the client's",
    watch: { never: registersElsewhere, sign: usesToken },
    acts: changeDescription(
      setting(({ otherServer, issuer }) => ({ authorization_servers: [issuer, otherServer] })),
    ),
  },
  servers_private: {
    server:
      "The API is on a public host, and its metadata names an authorization server on the machine of the client.",
    client: "Does not call that server, because strangers must not lead it into its own network.",
    rule: "RFC 9728 §7.7: to block internal addresses is one of several precautions",
    needs: ["api_metadata", "world_reachable"],
    bugs: ["executor#1032"],
    watch: { never: callsOtherServer, refusalSays: "did not call the server on its own machine" },
    acts: changeDescription(setting(({ variant }) => ({
      authorization_servers: [privateServers[variant as keyof typeof privateServers]],
    }))),
  },
  token_in_query: {
    level: "must",
    server: "The metadata of the API says that the token belongs in the query.",
    client: "Sends the token in the header.",
    rule: "RFC 9700 §4.3.2",
    watch: {
      never: to("resource", hasParam("access_token")),
      sign: usesToken,
      signSays: "sent the token in the header",
    },
    acts: changeDescription(setting({ bearer_methods_supported: ["query"] })),
  },
  unauthorized_html: {
    level: "robustness",
    server: "The API answers 401 with an HTML page. Only the challenge names the address of the metadata.",
    client: "Reads the challenge in the header, and not the body.",
    rule: "RFC 9110 §11.6.1: the challenge is in the header",
    watch: { never: missesDescription, sign: usesToken },
    acts: changeApi((answer, _tools, at) =>
      answer.status !== 401 ? describeAtNamed(answer, at) : {
        ...withHeaders(describeAtNamed(answer, at), { "content-type": "text/html; charset=utf-8" }),
        body: "<!doctype html><title>Sign in</title><p>Sign in first.",
      }
    ),
  },
  wider_resource: {
    level: "must",
    server: "The resource in the metadata is the origin of the API, without its path.",
    client: "Uses nothing of the metadata, and asks for no token for the whole origin.",
    rule: "RFC 9728 §3.3",
    watch: { never: any(to("authorize", asksForOrigin), to("token", asksForOrigin)) },
    acts: changeDescription((document, _tools, { exchange: { request: { address } } }) => ({
      ...document,
      resource: `${address.origin}/`,
    })),
  },
});

/** Finds requests for the metadata, if none of them found it, and the client did not go on without it. */
function missesDescription(...seen: Parameters<Find>): readonly Seen[] {
  const reads = readsDescription(...seen);
  const isFound = reads.some(({ entry: { response: { status } } }) => status < 400);
  return isFound || usesToken(...seen).length > 0 ? [] : reads;
}

function startsLoginWith(matches: (scope: readonly string[]) => boolean): Find {
  return where(startsLogin, ({ params }) => matches((params.get("scope") ?? "").split(" ")));
}

function hasParam(name: string, value?: string): (seen: Seen) => boolean {
  return ({ params }) => value === undefined ? params.has(name) : params.get(name) === value;
}

function asksForOrigin({ params }: Seen): boolean {
  return params.getAll("resource").some((url) => URL.canParse(url) && new URL(url).pathname === "/");
}

function namesWithSlash({ params }: Seen): boolean {
  return params.getAll("resource").some((url) => url.endsWith("/"));
}

function changeApi(change: Change<Answer>): CreateActs {
  return changeResponse("resource", change);
}

function changeDescription(change: Change<Members>): CreateActs {
  return changeJson(
    "resource",
    (document, tools, at) => readsMetadata(at) ? change(document, tools, at) : document,
  );
}

function changeBody(answer: Answer, change: (document: Members) => Members): Answer {
  const document = parseJsonObject(textOf(answer.body));
  return document === undefined ? answer : { ...answer, body: JSON.stringify(change(document)) };
}

/** Changes the challenge of answers with the status 401. `undefined` removes it. */
function changeChallenge(change: (challenge: string, tools: Tools) => string | undefined): CreateActs {
  return changeApi((answer, tools) => withChallenge(answer, (challenge) => change(challenge, tools)));
}

/** Changes the challenge, which alone names the address of the metadata. */
function changeNamed(change: (challenge: string) => string): CreateActs {
  return changeApi((answer, _tools, at) => withChallenge(describeAtNamed(answer, at), change));
}

function withChallenge(answer: Answer, change: (challenge: string) => string | undefined): Answer {
  const { "www-authenticate": header, ...headers } = answer.headers;
  if (answer.status !== 401 || header === undefined) return answer;
  const changed = change([header].flat().join(", "));
  return {
    ...answer,
    headers: changed === undefined ? headers : { ...headers, "www-authenticate": changed },
  };
}

/** Answers calls that the API has accepted. `undefined` leaves the answer as it is. */
function changeAccepted(change: (tools: Tools, at: ActContext) => Answer | undefined): CreateActs {
  return changeApi((answer, tools, at) => {
    const changed = isAccepted(answer, at) ? change(tools, at) : undefined;
    if (changed === undefined) return answer;
    cancelBody(answer.body);
    return changed;
  });
}

function readsMetadata({ exchange: { request: { address } } }: ActContext): boolean {
  return address.path.startsWith(protectedResourcePath);
}

function isAccepted({ status }: Answer, at: ActContext): boolean {
  return status < 300 && !readsMetadata(at) && at.exchange.request.header("authorization") !== undefined;
}

/** Returns a refusal with a challenge (RFC 6750 §3). */
function resourceRefusal(
  status: number,
  params: { readonly error: string } & Readonly<Record<string, string>>,
  at: ActContext,
): Answer {
  const { origin, path } = at.exchange.request.address;
  const all = { ...params, resource_metadata: origin + protectedResourcePath + path };
  const challenge = Object.entries(all).map(([name, value]) => `${name}="${value}"`).join(", ");
  return errorAnswer(status, params.error, { "www-authenticate": `Bearer ${challenge}` });
}

/** RFC 9470 §3. */
function authenticationRefusal(at: ActContext): Answer {
  return resourceRefusal(401, { error: "insufficient_user_authentication", max_age: "60" }, at);
}

function scopeRefusal(scope: string, at: ActContext): Answer {
  return resourceRefusal(403, { error: "insufficient_scope", scope }, at);
}

function demandWriting(named: string): CreateActs {
  return changeAccepted((_tools, at) =>
    at.exchange.facts.scope?.includes("orders:write") ? undefined : scopeRefusal(named, at)
  );
}

const named = "named=1";

/** Moves the metadata to an address that only the challenge names. */
function describeAtNamed(answer: Answer, at: ActContext): Answer {
  if (readsMetadata(at)) {
    return at.exchange.request.address.query === named ? answer : notFound;
  }
  return withChallenge(
    answer,
    (challenge) => challenge.replaceAll(/resource_metadata="[^"]*/g, (parameter) => `${parameter}?${named}`),
  );
}

/** Moves the metadata to the address without the path of the API. */
function describeAtRoot(): Acts {
  let document: Answer | undefined;
  return {
    arrival(value, { exchange: { request: { address } } }) {
      const isRoot = address.path === protectedResourcePath;
      return isRoot && document !== undefined ? { ...value, answer: document } : value;
    },
    response(answer, at) {
      if (at.endpoint !== "resource") return answer;
      if (readsMetadata(at) && at.exchange.request.address.path !== protectedResourcePath) {
        if (answer.status < 300) document = answer;
        return notFound;
      }
      return withoutDescription(answer);
    },
  };
}

/** Removes the address of the metadata from a challenge. */
function withoutDescription(answer: Answer): Answer {
  return withChallenge(
    answer,
    (challenge) => challenge.replaceAll(/, resource_metadata="[^"]*"/g, ""),
  );
}
