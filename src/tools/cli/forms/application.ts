/** Prints settings or programs to paste into an application. */

import { hasFeature } from "../../../server/features/mod.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import { type Client, methodOf, publicClientMethod } from "../../../server/oauth/contracts/client.ts";
import type { Settings } from "../../../server/oauth/contracts/settings.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import { type Form, forms } from "./application_forms.ts";
import { type Application, describeValues, nameInComment, writtenMethods } from "./form_values.ts";
import { findApiScopes, personScopes } from "../client/usual_scope.ts";
import { writeForm } from "./write_form.ts";

export function describeApplication(
  name: string,
  settings: Settings,
  configuration: Configuration,
  { isFromContainer = false, libraryForm }: {
    readonly isFromContainer?: boolean | undefined;
    /** In place of the printed form of this name. */
    readonly libraryForm?: Form | undefined;
  } = {},
): readonly string[] {
  const application = chooseApplication(settings, configuration);
  const form = libraryForm ?? forms[name];
  if (form === undefined) throw new Error(`No printed form is called ${name}`);
  const { file } = form;
  const mark = file.startsWith("#") ? "#" : "//";
  if (application === undefined) {
    return [`${mark} No client is configured, and first use is off: there is nothing to paste yet.`];
  }
  const { clientId, method } = application;
  // The environment names no method, so it suits all of them.
  if (name !== "env" && !writtenMethods.includes(method)) {
    return [`${mark} ${nameInComment(clientId)} authenticates with ${method}, which no form shows yet.`];
  }
  const values = { ...describeValues(application, settings, form), container: isFromContainer };
  const leftOut: string[] = [];
  const lines = writeForm(file, values, (line) => {
    const [variable = ""] = line.split("=");
    leftOut.push(variable);
    return `# ${variable} is left out, because not all programs read it as it is. The configuration of the server has it.`;
  });
  // Without one of its lines, a program would be another one.
  return name === "env" || leftOut.length === 0 ? lines : [
    `${mark} A value of this server cannot be in such a file, because not all programs read it as it is.`,
    `${mark} The form openid-client has all values.`,
  ];
}

function chooseApplication(settings: Settings, configuration: Configuration): Application | undefined {
  const all = [...settings.clients.values()];
  const known = all.find(signsPeopleIn) ?? all[0];
  const { clients = [], clientAuthMethods = [publicClientMethod] } = configuration;
  const acceptsNewcomer = hasFeature("first_use", configuration) && clients.length === 0 &&
    clientAuthMethods.includes(publicClientMethod);
  const scopes = listScopes(settings, configuration);
  return acceptsNewcomer ? createNewcomer(scopes) : known && readApplication(known, scopes, clients);
}

export function signsPeopleIn({ grantTypes, redirectUris }: Client): boolean {
  return grantTypes.includes("authorization_code") && redirectUris.length > 0;
}

/** Returns the scopes for the claims of the person, and the configured scopes that a request gets by default. */
function listScopes({ scopes, defaultScope }: Settings, configuration: Configuration): readonly string[] {
  const isConfigured = scopes.size > 0 || configuration.defaultScope !== undefined;
  return [...personScopes, ...(isConfigured ? findApiScopes(defaultScope) : [])];
}

function createNewcomer(scope: readonly string[]): Application {
  return {
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
  scopes: readonly string[],
  clients: readonly ClientMetadata[],
): Application {
  const { id, grantTypes } = client;
  const method = methodOf(client);
  const configured = clients.find(({ client_id }) => client_id === id);
  return {
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
