/** Prints settings or programs to paste into an application. Each form is for one library or program. */

import { hasFeature } from "../features/mod.ts";
import type { Configuration } from "../setup/configuration.ts";
import { type Client, methodOf, publicClientMethod, usesSecret } from "../oauth/clients/client.ts";
import type { Settings } from "../oauth/settings.ts";
import { type Application, secretName, whereSecretIs, writtenMethods } from "./application_terms.ts";
import { describeAuthjs } from "./authjs_application.ts";
import { describeCurl } from "./curl_application.ts";
import { describeHttpFile } from "./http_application.ts";
import { describeMcp } from "./mcp_application.ts";
import { describeOpenidClient } from "./openid_client_application.ts";
import { describePython } from "./python_application.ts";
import { describeSpring } from "./spring_application.ts";
import { findApiScopes, personScopes } from "./usual_scope.ts";

export type ApplicationForm =
  | "env"
  | "openid-client"
  | "authjs"
  | "spring"
  | "python"
  | "mcp"
  | "curl"
  | "http";

interface Form {
  /** The name of the library or the file, for the front page. */
  readonly title: string;
  /** Begins a comment. */
  readonly mark: "#" | "//";
  readonly describe: (application: Application, settings: Settings) => readonly string[];
}

const forms: Readonly<Record<ApplicationForm, Form>> = {
  env: { title: ".env", mark: "#", describe: describeEnvironment },
  "openid-client": { title: "openid-client", mark: "//", describe: describeOpenidClient },
  authjs: { title: "Auth.js", mark: "//", describe: describeAuthjs },
  spring: { title: "Spring Boot", mark: "#", describe: describeSpring },
  python: { title: "Python", mark: "#", describe: describePython },
  mcp: { title: "MCP TypeScript SDK", mark: "//", describe: describeMcp },
  curl: { title: "curl", mark: "#", describe: describeCurl },
  http: { title: "HTTP Client, REST Client", mark: "#", describe: describeHttpFile },
};

export const applicationForms = Object.keys(forms) as readonly ApplicationForm[];

export function titleOf(form: ApplicationForm): string {
  return forms[form].title;
}

export function describeApplication(
  form: ApplicationForm,
  settings: Settings,
  configuration: Configuration,
): readonly string[] {
  const all = [...settings.clients.values()];
  const known = all.find(signsPeopleIn) ?? all[0];
  const { clients = [], clientAuthMethods = [publicClientMethod] } = configuration;
  const acceptsNewcomer = hasFeature("first_use", configuration) && clients.length === 0 &&
    clientAuthMethods.includes(publicClientMethod);
  const scopes = listScopes(settings, configuration);
  const application = acceptsNewcomer
    ? createNewcomer(settings, scopes)
    : known && readApplication(known, settings, scopes);
  const { mark, describe } = forms[form];
  if (application === undefined) {
    return [`${mark} No client is configured, and first use is off: there is nothing to paste yet.`];
  }
  const { clientId, method } = application;
  if (form === "env" || writtenMethods.includes(method)) return describe(application, settings);
  return [`${mark} ${clientId} authenticates with ${method}, which no form shows yet.`];
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
  };
}

function readApplication(client: Client, { issuer }: Settings, scopes: readonly string[]): Application {
  const { id, grantTypes } = client;
  const method = methodOf(client);
  return {
    issuer,
    clientId: id,
    scope: scopeOf(client, scopes),
    method,
    redirectUris: signsPeopleIn(client) ? client.redirectUris : [],
    isNew: false,
    actsForItself: method !== publicClientMethod && grantTypes.includes("client_credentials"),
  };
}

/** A registered scope is all that the client may request. Without openid, its other OpenID scopes are kept as well. */
function scopeOf({ scope }: Client, scopes: readonly string[]): readonly string[] {
  if (scope === undefined) return scopes;
  if (!scope.includes("openid")) return scope;
  return [...personScopes.filter((name) => scope.includes(name)), ...findApiScopes(scope)];
}

function describeEnvironment(application: Application): readonly string[] {
  const { issuer, clientId, method, scope, isNew, redirectUris: [redirectUri] } = application;
  return [
    isNew
      ? "# .env (a second application takes another client_id: any name works)"
      : '# .env (a second application needs a client_id of its own, in "clients" of the configuration)',
    `OAUTH_ISSUER=${quoteForEnv(issuer)}`,
    `OAUTH_CLIENT_ID=${quoteForEnv(clientId)}`,
    ...(usesSecret(method) ? [`# ${secretName}: ${whereSecretIs(application)}`] : []),
    ...(redirectUri === undefined ? [] : [
      `OAUTH_REDIRECT_URI=${quoteForEnv(redirectUri)}`,
      `OAUTH_SCOPE=${quoteForEnv(scope.join(" "))}`,
    ]),
  ];
}

/** Quotes text that has spaces. Single quotes come first, because .env readers replace nothing between them. */
function quoteForEnv(text: string): string {
  if (/^[\w.:/@+%-]+$/.test(text)) return text;
  const mark = [`'`, "`", '"'].find((each) => !text.includes(each)) ?? `'`;
  return mark + text + mark;
}
