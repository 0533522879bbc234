/**
 * The table of the scenarios that MCP 2026-07-28 requires of clients in `@modelcontextprotocol/conformance` 0.2.0-alpha.12,
 * built with the test kit. Each row has the servers of the scenario, what a client must do, and what version 1 of the SDK does wrong.
 */

import type { Mock, MockOptions, Resource, ResourceTerms } from "../../src/kit/mod.ts";
import {
  type ApplicationOptions,
  greeter,
  redirectUri,
  type Saved,
} from "../portable/kit/clients/mcp_client.ts";

/** The servers of a scenario, and what its client must do. */
export interface Scenario {
  /** The options of the authorization server. Default: the mock without configured clients, so the client registers. */
  readonly options?: MockOptions;
  /** The API. Default: `terms` at `https://api.test/mcp`. */
  readonly build?: (as: Mock) => Resource;
  readonly terms?: ResourceTerms;
  /** The endpoint of the MCP server. Default: `https://api.test/mcp`. */
  readonly url?: string;
  readonly application?: ApplicationOptions;
  /** The credentials that the client has before its first request. */
  readonly client?: Saved["client"];
  /** Returns the rules that the client broke, as the mock has recorded its requests. */
  readonly judge: (scene: Scene) => Faults;
  /** The rules that version 1 of the SDK breaks. Default: none. */
  readonly sdkBreaks?: readonly string[];
  /** What the application adds, so that no rule is broken. */
  readonly remedy?: ApplicationOptions;
}

export interface Scene {
  readonly as: Mock;
  readonly api: Resource;
  readonly saved: Saved;
  /** The answer of the tool, or the message of the error. */
  readonly outcome: string;
}

/** Each broken rule as a sentence. `false`: the client has obeyed. */
type Faults = readonly (string | false)[];

/** The document of the client, for scenarios whose client does not register. */
export const documentUrl = "https://conformance-test.local/client-metadata.json";
export const clientDocument: Readonly<Record<string, readonly string[]>> = {
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token"],
};

export const mcpUrl = "https://api.test/mcp";
const wellKnown = "/.well-known/oauth-protected-resource";
const tenantMetadata = "/.well-known/oauth-authorization-server/tenant1";

/** The client finishes a login, with PKCE and with the identifier of the API as it is in the metadata. */
function finishes({ as, api, outcome }: Scene, server: Pick<Mock, "requests"> = as): Faults {
  const { authorize, token } = server.requests;
  const { pkce, resource } = authorize.last ?? {};
  return [
    outcome !== "Hello bob" && `does not finish: ${outcome}`,
    pkce !== "S256" && "sends no PKCE",
    resource?.join() !== api.url && "the authorization request lacks the resource",
    token.last?.resource?.join() !== api.url && "the token request lacks the resource",
  ];
}

/** The client sees an authorization response, and sends no code if the response is wrong. */
function refusesAnswer({ as }: Scene): Faults {
  const { authorize, token } = as.requests;
  return [
    authorize.length === 0 && "does not ask the server",
    token.length > 0 && "redeems a code that is not from the issuer",
  ];
}

const scopesOf = ({ as }: Scene): readonly (readonly string[])[] =>
  as.requests.authorize.map(({ scope = [] }) => scope);

/** The first authorization request as the client sent it, because the server fills in a missing scope. */
function sentScope({ as }: Scene): string | null {
  return new URLSearchParams(as.requests.authorize.first?.raw().request.query).get("scope");
}

function usesMethod(method: string): Scenario {
  return {
    options: { clientAuthMethods: [method] },
    judge: (scene) => [
      ...finishes(scene),
      scene.as.requests.token.last?.clientAuth !== method && `does not use ${method}`,
    ],
  };
}

/** The server is wrong about the issuer of its answers. */
function answersWrongly(options: MockOptions): Scenario {
  return {
    options,
    judge: refusesAnswer,
    sdkBreaks: ["redeems a code that is not from the issuer"],
    remedy: { comparesIssuers: true },
  };
}

/** Where the client has looked for the metadata of the API. */
const metadataOf = ({ api }: Scene): readonly string[] => [
  ...new Set(api.requests.map(({ path }) => path).filter((path) => path !== "/mcp")),
];

/** The scenarios that MCP 2026-07-28 requires (requirements/2026-07-28.yaml). */
export const requiredScenarios: Readonly<Record<string, Scenario>> = {
  "metadata-default": {
    options: { metadata: { openidConfiguration: false } },
    judge: (scene) => [
      ...finishes(scene),
      metadataOf(scene).join() !== `${wellKnown}/mcp` && "looks for the API's metadata at the root",
    ],
  },
  "metadata-var1": {
    options: { metadata: { oauthAuthorizationServer: false } },
    terms: { challenge: { metadata: false } },
    judge: finishes,
  },
  "metadata-var2": {
    build: (as) => {
      const tenant1 = as.tenant("tenant1", { clients: [], metadata: { openidConfiguration: false } });
      const terms = { challenge: { metadata: false }, authorizationServers: [tenant1] };
      // An API without a path has its metadata at the root.
      return as.resource("https://api.test", terms, greeter);
    },
    judge: (scene) => {
      const tenant1 = scene.as.tenant("tenant1");
      return [
        ...finishes(scene, tenant1),
        scene.as.requests.length > 0 && "asks another issuer",
        tenant1.requests.first?.path !== tenantMetadata && "looks for the server's metadata elsewhere first",
      ];
    },
  },
  "metadata-var3": {
    build: (as) => {
      const metadata = { oauthAuthorizationServer: false, openidConfiguration: "appended" } as const;
      return as.resource(mcpUrl, {
        metadata: new URL("https://api.test/custom/metadata/location.json"),
        authorizationServers: [as.tenant("tenant1", { clients: [], metadata })],
      }, greeter);
    },
    judge: (scene) => [
      ...finishes(scene, scene.as.tenant("tenant1")),
      scene.as.requests.length > 0 && "asks another issuer",
      metadataOf(scene).join() !== "/custom/metadata/location.json" && "does not follow the challenge",
    ],
  },
  "basic-cimd": {
    application: { documentUrl },
    judge: (scene) => [
      ...finishes(scene),
      scene.as.requests.authorize.last?.clientId !== documentUrl && "does not use the URL of its document",
      scene.as.requests.register.length > 0 && "registers, although it has a document",
    ],
  },
  "scope-from-www-authenticate": {
    terms: { scope: "mcp:basic" },
    judge: (scene) => [
      ...finishes(scene),
      sentScope(scene) !== "mcp:basic" && "does not ask for the scope of the challenge",
    ],
  },
  "scope-from-scopes-supported": {
    terms: {
      challenge: { scope: false },
      scope: ["mcp:basic", "mcp:read", "mcp:write"],
      scopes: ["mcp:basic", "mcp:read", "mcp:write"],
    },
    judge: (scene) => [
      ...finishes(scene),
      sentScope(scene) !== "mcp:basic mcp:read mcp:write" && "does not ask for the scopes of the metadata",
    ],
  },
  "scope-omitted-when-undefined": {
    judge: (scene) => [...finishes(scene), sentScope(scene) !== null && "asks for a scope of its own"],
  },
  "scope-step-up": {
    terms: {
      scopes: ["mcp:profile"],
      challenge: { scope: "missing" },
      rules: [
        { rpc: "initialize", scope: "mcp:basic" },
        { rpc: "tools/list", scope: "mcp:basic" },
        { rpc: "tools/call", scope: "mcp:write" },
      ],
    },
    judge: (scene) => {
      const [first = [], second = []] = scopesOf(scene);
      return [
        ...finishes(scene),
        !first.includes("mcp:basic") && "does not ask for the scope of the challenge",
        !second.includes("mcp:write") && "does not step up",
        !second.includes("mcp:basic") && "gives up the scope that it had",
      ];
    },
    // The SDK registers for authorization_code alone. With a refresh token, it would refresh to step up.
    // The runner warns.
    sdkBreaks: ["gives up the scope that it had"],
    remedy: { keepsScopes: true },
  },
  "scope-retry-limit": {
    terms: { scope: "mcp:admin", scopes: ["mcp:admin"], rules: [{ rpc: "tools/list", refuse: true }] },
    judge: ({ as, api, outcome }) => [
      as.requests.authorize.length === 0 && "does not ask the server",
      /signed in/.test(outcome) && "asks the person again and again",
      api.requests.filter(({ status }) => status === 403).length > 3 &&
      "sends refused requests again and again",
    ],
  },
  "token-endpoint-auth-basic": usesMethod("client_secret_basic"),
  "token-endpoint-auth-post": usesMethod("client_secret_post"),
  "token-endpoint-auth-none": usesMethod("none"),
  "pre-registration": {
    options: {
      registration: false,
      clientAuthMethods: ["client_secret_basic"],
      clients: [{
        client_id: "pre-registered-client",
        client_secret: "pre-registered-secret",
        redirect_uris: [redirectUri],
      }],
    },
    client: {
      client_id: "pre-registered-client",
      client_secret: "pre-registered-secret",
      issuer: "https://as.test",
    },
    judge: (scene) => {
      const { clientId, clientAuth } = scene.as.requests.token.last ?? {};
      return [
        ...finishes(scene),
        clientId !== "pre-registered-client" && "does not use its credentials",
        clientAuth !== "client_secret_basic" && "does not use client_secret_basic",
      ];
    },
  },
  "resource-mismatch": {
    terms: { document: { resource: "https://evil.example.com/mcp" } },
    judge: (scene) => [
      metadataOf(scene).length === 0 && "does not read the API's metadata",
      scene.as.requests.authorize.length > 0 && "accepts the metadata of another API",
    ],
  },
  "offline-access-scope": {
    build: (as) => {
      as.on("metadata", (members) => ({ ...members, scopes_supported: ["mcp:basic", "offline_access"] }));
      return as.resource(mcpUrl, { scopes: ["mcp:basic"] }, greeter);
    },
    judge: (scene) => [
      ...finishes(scene),
      scene.saved.tokens?.refresh_token === undefined && "has not announced that it refreshes",
      !sentScope(scene)?.includes("offline_access") && "does not ask for offline_access",
    ],
    // The runner warns about the first rule, and the second rule is a MAY.
    sdkBreaks: ["has not announced that it refreshes", "does not ask for offline_access"],
    remedy: { documentUrl, addsOfflineAccess: true },
  },
  "offline-access-not-supported": {
    build: (as) => {
      as.on("metadata", (members) => ({ ...members, scopes_supported: ["mcp:basic", "mcp:read"] }));
      return as.resource(mcpUrl, { scopes: ["mcp:basic", "mcp:read"] }, greeter);
    },
    judge: (scene) => [
      ...finishes(scene),
      sentScope(scene)?.includes("offline_access") === true &&
      "asks for a scope that the server does not have",
    ],
  },
  "authorization-server-migration": {
    build: (as) => {
      const [one, two] = [as.tenant("one", { clients: [] }), as.tenant("two", { clients: [] })];
      const api = as.resource(
        mcpUrl,
        { scope: "mcp:basic", authorizationServers: [one] },
        (request, claims) => {
          api.change({ authorizationServers: [two] });
          return greeter(request, claims);
        },
      );
      return api;
    },
    judge: (scene) => {
      const [one, two] = [scene.as.tenant("one"), scene.as.tenant("two")];
      const used = two.requests.map(({ clientId }) => clientId);
      return [
        ...finishes(scene, two),
        one.requests.register.length === 0 && "does not register with the first server",
        two.requests.register.length === 0 && "does not register with the second server",
        used.includes(one.requests.register.last?.clientId) &&
        "uses the id of the first server at the second",
      ];
    },
  },
  "iss-supported": { judge: finishes },
  "iss-not-advertised": { options: { issAnnounced: false, issSent: "absent" }, judge: finishes },
  "iss-supported-missing": answersWrongly({ issSent: "absent" }),
  "iss-wrong-issuer": answersWrongly({ issSent: "foreign" }),
  "iss-unexpected": answersWrongly({ issAnnounced: false, issSent: "foreign" }),
  "iss-normalized": answersWrongly({ issSent: "slash" }),
  "metadata-issuer-mismatch": {
    build: (as) => {
      as.on("metadata", (members) => ({ ...members, issuer: "https://attacker.example.com" }));
      return as.resource(mcpUrl, {}, greeter);
    },
    judge: ({ as: { requests } }) => [
      requests.metadata.length === 0 && "does not read the server's metadata",
      requests.register.length + requests.authorize.length + requests.token.length > 0 &&
      "uses the endpoints of metadata from another issuer",
    ],
    sdkBreaks: ["uses the endpoints of metadata from another issuer"],
    remedy: { comparesIssuers: true },
  },
};

// Version 1 of the SDK has no DPoP. tests/portable/server/clients/dpop_test.ts has clients for the servers of these scenarios.
//   dpop        createMock(), as.resource(url, { dpop: { required: true } })
//   dpop-nonce  createMock({ dpop: { nonces: "required" } }), as.resource(url, { dpop: { nonces: "required" } })
