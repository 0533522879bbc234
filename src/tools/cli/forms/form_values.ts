/** The values that printed forms consist of: what an application must know about the server and its client. */

import { deviceGrantType } from "../../../server/client/device_flow.ts";
import { defaultFeatures, everyFeature } from "../../../server/features/mod.ts";
import {
  type Client,
  methodOf,
  publicClientMethod,
  sendsSecret,
  usesSecret,
} from "../../../server/oauth/contracts/client.ts";
import { metadataPaths } from "../../../server/oauth/contracts/paths.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import { gatherSlots } from "../../../server/slots.ts";
import { describeCallback, describeServedAddress, type LibraryAddress, portOf } from "./library_address.ts";
import type { FormValues, WriteText } from "./write_form.ts";

export interface Application {
  readonly clientId: string;
  readonly scope: readonly string[];
  /** The client's authentication method, such as `client_secret_basic`. */
  readonly method: string;
  /** Without redirect URIs, people cannot sign in with this client. */
  readonly redirectUris: readonly string[];
  /** The application is not configured. First use makes it a client, with any redirect URI on this machine. */
  readonly isNew: boolean;
  /** The client may use the client credentials grant. */
  readonly actsForItself: boolean;
  /** The client must sign its authorization requests (RFC 9101). */
  readonly signsRequests: boolean;
  /** The client must have signed authorization responses (JARM). */
  readonly needsSignedResponses: boolean;
}

export interface Language {
  readonly text: WriteText;
  /** Writes a URL of the server, and what is percent-encoded already. */
  readonly url: WriteText;
}

export const writtenMethods: readonly string[] = [
  publicClientMethod,
  "client_secret_basic",
  "client_secret_post",
  "client_secret_jwt",
  "private_key_jwt",
];

export interface FormNeeds {
  readonly language: Language;
  /** Absent: the library leaves the redirect URI to the application. */
  readonly address?: LibraryAddress;
  /** The form is for the first client that may log in on a device, and not for the usual one. */
  readonly isForDevice?: boolean;
}

export function describeValues(
  usual: Application,
  settings: Settings,
  { language, address, isForDevice = false }: FormNeeds,
): FormValues {
  const device = isForDevice ? chooseDevice(usual, settings) : undefined;
  const application = device ?? usual;
  return {
    ...describeClient(application, language),
    ...describeMethod(application.method),
    ...describeUse(application, settings),
    ...describeServer(settings, language),
    ...describeExchange(application, settings, language),
    ...describeServedAddress(application.redirectUris, language.text),
    ...(address === undefined ? {} : describeCallback(application, address, language.text)),
    ...(isForDevice
      ? { device_client: device !== undefined, DEVICE_URL: language.url(findDeviceUrl(settings)) }
      : {}),
  };
}

function chooseDevice(application: Application, { clients }: Settings): Application | undefined {
  if (application.isNew) return { ...application, clientId: "my-cli" };
  const client = [...clients.values()].find(({ grantTypes }) => grantTypes.includes(deviceGrantType));
  return client && {
    ...application,
    clientId: client.id,
    method: methodOf(client),
    scope: client.scope ?? application.scope,
  };
}

function findDeviceUrl({ baseUrl }: Settings): string {
  const endpoints = defaultFeatures(everyFeature).flatMap((feature) => feature.endpoints ?? []);
  return baseUrl + endpoints.find(({ name }) => name === "device_authorization")!.path;
}

function describeClient(application: Application, { text, url }: Language): FormValues {
  const { clientId, scope, method, redirectUris: [redirectUri = ""] } = application;
  return {
    CLIENT_ID: text(clientId),
    CLIENT_ID_FIELD: text(`client_id=${clientId}`),
    ENCODED_CLIENT_ID: url(encodeURIComponent(clientId)),
    METHOD: method,
    SECRET_NOTE: usesSecret(method) ? [`OAUTH_CLIENT_SECRET: ${whereSecretIs(clientId)}`] : [],
    REDIRECT_URI: text(redirectUri),
    REDIRECT_URI_FIELD: text(`redirect_uri=${redirectUri}`),
    FIRST_REDIRECT_URI: redirectUri,
    SCOPE: text(scope.join(" ")),
    SCOPE_FIELD: text(`scope=${scope.join(" ")}`),
    SCOPES: listTexts(scope, text),
    SIGN_IN_PROBLEM: lacksSignIn(application),
  };
}

function whereSecretIs(clientId: string): string {
  return `the client_secret of ${nameInComment(clientId)} in the configuration`;
}

/** zsh runs a comment that is pasted into it, and Python takes `coding:` in one for a declaration. */
export function nameInComment(clientId: string): string {
  return /^[\w.-]+$/.test(clientId) ? JSON.stringify(clientId) : "this client";
}

function listTexts(texts: Iterable<string>, text: WriteText): string | undefined {
  const written = [...texts].map(text);
  return written.includes(undefined) ? undefined : written.join(", ");
}

function lacksSignIn({ redirectUris, scope }: Application): readonly string[] {
  if (redirectUris.length === 0) {
    return [
      "people cannot sign in with this client: it needs authorization_code among its grant_types, and redirect_uris",
    ];
  }
  return scope.includes("openid") ? [] : ["people cannot sign in with this client: its scope lacks openid"];
}

function describeMethod(method: string): FormValues {
  return {
    ...Object.fromEntries(writtenMethods.map((each) => [each, each === method])),
    secret: usesSecret(method),
    sends_secret: sendsSecret(method),
    // Programs that cannot sign assertions cannot use any other method either.
    signs: method !== publicClientMethod && !sendsSecret(method),
  };
}

/** Describes what the application does. A program logs people in if it can, and otherwise may act for itself. */
function describeUse(application: Application, { clients }: Settings): FormValues {
  const { clientId, scope, redirectUris, isNew, actsForItself } = application;
  const client = clients.get(clientId);
  const logsIn = redirectUris.length > 0;
  return {
    new: isNew,
    login: logsIn,
    itself: !logsIn && actsForItself,
    runs: logsIn || actsForItself,
    openid: scope.includes("openid"),
    offline_access: client?.scope?.includes("offline_access") ?? true,
    requires_pkce: client?.requirePkce ?? true,
    signs_requests: application.signsRequests,
    needs_signed_responses: application.needsSignedResponses,
  };
}

function describeServer(settings: Settings, { text, url }: Language): FormValues {
  const { issuer, baseUrl, basePath, also: [otherName = ""], alg, resources, accessTokens } = settings;
  const [mcpUrl = "http://localhost:3001/mcp"] = resources;
  const { origin, pathname } = new URL(mcpUrl);
  const { secondFactor } = gatherSlots(defaultFeatures(everyFeature));
  // An API can ask for the second factor of a person, or else for what each sign-in satisfies (RFC 9470).
  const [acr] = [...secondFactor?.acrValues({ settings }) ?? [], ...settings.acrValues];
  return {
    ISSUER: text(issuer),
    METADATA_URL: url(new URL(issuer).origin + metadataPaths.oauthAuthorizationServer + basePath),
    ...describeEndpoints("", baseUrl, settings, url),
    ...describeEndpoints("OTHER_", otherName, settings, url),
    ALG: alg,
    step_up: acr !== undefined,
    ACR: text(acr ?? ""),
    AUDIENCES: listTexts(resources.size === 0 ? [issuer] : resources, text),
    MCP_URL: text(mcpUrl),
    MCP_ORIGIN: text(origin),
    MCP_PATH: text(pathname),
    MCP_PORT: portOf(mcpUrl),
    // In a .js file, JSR would replace the name, because deno.json has this package.
    JOSE: "jose",
    insecure: issuer.startsWith("http:"),
    automatic: settings.automaticPerson !== undefined,
    opaque: accessTokens === "opaque",
    at_jwt: settings.accessTokenType !== "JWT",
    rs256: alg === "RS256",
  };
}

function describeEndpoints(
  prefix: string,
  baseUrl: string,
  { paths }: Settings,
  url: WriteText,
): FormValues {
  return {
    [`${prefix}DISCOVERY_URL`]: url(baseUrl + metadataPaths.openidConfiguration),
    [`${prefix}AUTHORIZE_URL`]: url(baseUrl + paths.authorize),
    [`${prefix}TOKEN_URL`]: url(baseUrl + paths.token),
    [`${prefix}USERINFO_URL`]: url(baseUrl + paths.userinfo),
    [`${prefix}JWKS_URL`]: url(baseUrl + paths.jwks),
  };
}

/** Describes the client that may exchange the access token of a login, without an actor_token (RFC 8693). */
function describeExchange(
  application: Application,
  { clients }: Settings,
  { text, url }: Language,
): FormValues {
  const exchanger = [...clients.values()].find((each) => mayExchange(each, application));
  const { id = "", members = {} } = exchanger ?? {};
  const [audience = ""] = exchangeOf({ members }).to;
  return {
    exchange: exchanger !== undefined,
    exchanger_uses_basic: exchanger !== undefined && methodOf(exchanger) === "client_secret_basic",
    EXCHANGER_ID: text(id),
    EXCHANGER_ID_FIELD: text(`client_id=${id}`),
    ENCODED_EXCHANGER_ID: url(encodeURIComponent(id)),
    EXCHANGER_SECRET_PLACE: whereSecretIs(id),
    AUDIENCE_FIELD: text(`audience=${audience}`),
  };
}

function mayExchange(client: Client, { clientId }: Application): boolean {
  const { from, to, actors } = exchangeOf(client);
  return sendsSecret(methodOf(client)) && from.includes(clientId) && to.length > 0 && actors.length === 0;
}

function exchangeOf({ members }: Pick<Client, "members">) {
  const terms = members["token_exchange"] as ClientMetadata["token_exchange"];
  const { from = [], to = [], actors = [] } = terms ?? {};
  return { from, to, actors };
}
