/** Prints settings or programs to paste into an application. Each form is for one library or program. */

import { hasFeature } from "../../server/features/mod.ts";
import type { Configuration } from "../../server/setup/configuration.ts";
import { type Client, methodOf, publicClientMethod } from "../../server/oauth/clients/client.ts";
import { metadataPaths } from "../../server/oauth/metadata_addresses.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import type { ClientMetadata } from "../../server/setup/client_metadata.ts";
import { type Application, noteSecret, urlOf, writtenMethods } from "./application_terms.ts";
import { findApiScopes, personScopes } from "./usual_scope.ts";

export type ApplicationForm =
  | "env"
  | "openid-client"
  | "oidc-client-ts"
  | "authjs"
  | "next-auth"
  | "spring"
  | "python"
  | "go"
  | "rust"
  | "mcp"
  | "fastmcp"
  | "curl"
  | "device"
  | "http"
  | "fapi";

type Describe = (
  application: Application,
  settings: Settings,
  isFromContainer: boolean,
) => readonly string[];

interface Form {
  /** The name of the library or the file, for the front page. */
  readonly title: string;
  /** Begins a comment. */
  readonly mark: "#" | "//";
  readonly load: () => Promise<Describe>;
}

const forms: Readonly<Record<ApplicationForm, Form>> = {
  env: { title: ".env", mark: "#", load: () => Promise.resolve(describeEnvironment) },
  "openid-client": {
    title: "openid-client",
    mark: "//",
    load: async () => (await import("./openid_client_application.ts")).describeOpenidClient,
  },
  "oidc-client-ts": {
    title: "oidc-client-ts",
    mark: "//",
    load: async () => (await import("./oidc_client_ts_application.ts")).describeOidcClientTs,
  },
  authjs: {
    title: "Auth.js",
    mark: "//",
    load: async () => (await import("./authjs_application.ts")).describeAuthjs,
  },
  "next-auth": {
    title: "next-auth 4",
    mark: "//",
    load: async () => (await import("./next_auth_application.ts")).describeNextAuth,
  },
  spring: {
    title: "Spring Boot",
    mark: "#",
    load: async () => (await import("./spring_application.ts")).describeSpring,
  },
  python: {
    title: "Python",
    mark: "#",
    load: async () => (await import("./python_application.ts")).describePython,
  },
  go: {
    title: "Go",
    mark: "//",
    load: async () => (await import("./go_application.ts")).describeGo,
  },
  rust: {
    title: "Rust",
    mark: "//",
    load: async () => (await import("./rust_application.ts")).describeRust,
  },
  mcp: {
    title: "MCP TypeScript SDK",
    mark: "//",
    load: async () => (await import("./mcp_application.ts")).describeMcp,
  },
  fastmcp: {
    title: "FastMCP",
    mark: "#",
    load: async () => (await import("./fastmcp_application.ts")).describeFastmcp,
  },
  curl: {
    title: "curl",
    mark: "#",
    load: async () => (await import("./curl_application.ts")).describeCurl,
  },
  device: {
    title: "curl on a device",
    mark: "#",
    load: async () => (await import("./device_application.ts")).describeDevice,
  },
  http: {
    title: "HTTP Client, REST Client",
    mark: "#",
    load: async () => (await import("./http_application.ts")).describeHttpFile,
  },
  fapi: {
    title: "FAPI 2.0",
    mark: "//",
    load: async () => (await import("./fapi_application.ts")).describeFapi,
  },
};

export const applicationForms = Object.keys(forms) as readonly ApplicationForm[];

export function titleOf(form: ApplicationForm): string {
  return forms[form].title;
}

/** Returns the lines of a form. */
export type DescribeApplication = (
  form: ApplicationForm,
  settings: Settings,
  configuration: Configuration,
  terms?: { readonly isFromContainer?: boolean | undefined },
) => readonly string[];

/** Loads what describes these forms. A server prints one of them, and its front page shows all. */
export async function loadForms(wanted: readonly ApplicationForm[]): Promise<DescribeApplication> {
  const loaded = new Map(
    await Promise.all(wanted.map(async (form) => [form, await forms[form].load()] as const)),
  );
  return (form, settings, configuration, { isFromContainer = false } = {}) => {
    const application = chooseApplication(settings, configuration);
    const { mark } = forms[form];
    if (application === undefined) {
      return [`${mark} No client is configured, and first use is off: there is nothing to paste yet.`];
    }
    const { clientId, method } = application;
    // The environment names no method, so it suits all of them.
    if (form === "env" || writtenMethods.includes(method)) {
      return loaded.get(form)!(application, settings, isFromContainer);
    }
    return [`${mark} ${clientId} authenticates with ${method}, which no form shows yet.`];
  };
}

/** Returns the first client that people sign in to, or else the first client or a new one. */
function chooseApplication(settings: Settings, configuration: Configuration): Application | undefined {
  const all = [...settings.clients.values()];
  const known = all.find(signsPeopleIn) ?? all[0];
  const { clients = [], clientAuthMethods = [publicClientMethod] } = configuration;
  const acceptsNewcomer = hasFeature("first_use", configuration) && clients.length === 0 &&
    clientAuthMethods.includes(publicClientMethod);
  const scopes = listScopes(settings, configuration);
  return acceptsNewcomer
    ? createNewcomer(settings, scopes)
    : known && readApplication(known, settings, scopes, clients);
}

function signsPeopleIn({ grantTypes, redirectUris }: Client): boolean {
  return grantTypes.includes("authorization_code") && redirectUris.length > 0;
}

/** Returns the scopes for the claims of the person, and the configured scopes that a request gets by default. */
function listScopes({ scopes, defaultScope }: Settings, configuration: Configuration): readonly string[] {
  const isConfigured = scopes.size > 0 || configuration.defaultScope !== undefined;
  return [...personScopes, ...(isConfigured ? findApiScopes(defaultScope) : [])];
}

/** Describes an application that becomes a client when a person approves its first request. */
function createNewcomer({ issuer }: Settings, scope: readonly string[]): Application {
  return {
    issuer,
    clientId: "my-app",
    scope,
    method: publicClientMethod,
    redirectUris: ["http://localhost:3000/callback"],
    isNew: true,
    actsForItself: false,
    signsRequests: false,
    needsSignedResponses: false,
  };
}

function readApplication(
  client: Client,
  { issuer }: Settings,
  scopes: readonly string[],
  clients: readonly ClientMetadata[],
): Application {
  const { id, grantTypes } = client;
  const method = methodOf(client);
  const configured = clients.find(({ client_id }) => client_id === id);
  return {
    issuer,
    clientId: id,
    scope: scopeOf(client, scopes),
    method,
    redirectUris: signsPeopleIn(client) ? client.redirectUris : [],
    isNew: false,
    actsForItself: method !== publicClientMethod && grantTypes.includes("client_credentials"),
    signsRequests: configured?.require_signed_request_object ?? false,
    needsSignedResponses: configured?.require_signed_response ?? false,
  };
}

/** A registered scope is all that the client may request. Without openid, its other OpenID scopes are kept as well. */
function scopeOf({ scope }: Client, scopes: readonly string[]): readonly string[] {
  if (scope === undefined) return scopes;
  if (!scope.includes("openid")) return scope;
  return [...personScopes.filter((name) => scope.includes(name)), ...findApiScopes(scope)];
}

function describeEnvironment(
  application: Application,
  settings: Settings,
  isFromContainer: boolean,
): readonly string[] {
  const { issuer, clientId, scope, isNew, redirectUris: [redirectUri] } = application;
  return [
    isNew
      ? "# .env (a second application takes another client_id: any name works)"
      : '# .env (a second application needs a client_id of its own, in "clients" of the configuration)',
    `OAUTH_ISSUER=${quoteForEnv(issuer)}`,
    ...(isFromContainer ? describeFetched(settings) : []),
    `OAUTH_CLIENT_ID=${quoteForEnv(clientId)}`,
    ...noteSecret(application, "#"),
    ...(redirectUri === undefined ? [] : [
      `OAUTH_REDIRECT_URI=${quoteForEnv(redirectUri)}`,
      `OAUTH_SCOPE=${quoteForEnv(scope.join(" "))}`,
    ]),
  ];
}

/** Returns the addresses that a program fetches by the first other name of the server, while browsers use the issuer. */
function describeFetched({ also: [baseUrl = ""], paths }: Settings): readonly string[] {
  return [
    `OAUTH_DISCOVERY_URL=${baseUrl}${metadataPaths.openidConfiguration}`,
    `OAUTH_TOKEN_URL=${urlOf("token", { baseUrl, paths })}`,
    `OAUTH_USERINFO_URL=${urlOf("userinfo", { baseUrl, paths })}`,
    `OAUTH_JWKS_URL=${urlOf("jwks", { baseUrl, paths })}`,
  ];
}

/** Quotes text that has spaces. Single quotes come first, because .env readers replace nothing between them. */
function quoteForEnv(text: string): string {
  if (/^[\w.:/@+%-]+$/.test(text)) return text;
  const mark = [`'`, "`", '"'].find((each) => !text.includes(each)) ?? `'`;
  return mark + text + mark;
}
