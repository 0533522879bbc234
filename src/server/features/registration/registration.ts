/**
 * Clients register themselves, and read, update and delete their registration (RFC 7591, RFC 7592, OpenID Connect Dynamic
 * Client Registration 1.0).
 */

import { checkEach } from "../../oauth/clients/metadata/check_each.ts";
import { isReachedFromElsewhere } from "../../oauth/clients/reach/reached_from_elsewhere.ts";
import { isAppUri, isLoopbackRedirectUri } from "../../oauth/clients/metadata/redirect_uri.ts";
import { listClients } from "../../oauth/clients/records/stored_client.ts";
import type { ClientMember, Feature } from "../../oauth/contracts/feature.ts";
import type { CoreOptions } from "../../oauth/contracts/core_options.ts";
import { lazy } from "../../../ground/values/lazy.ts";
import { usualPaths } from "../../oauth/contracts/paths.ts";
import { findRegisteredClient, isRegisteredId, registrationSource } from "./registered_client.ts";
import {
  clientSecretLifetime,
  type RegistrationOptions,
  registrationSetting,
} from "./registration_settings.ts";

const importSteps = () => import("./loaded_late.ts");

export function registration(configuration: RegistrationOptions & CoreOptions): Feature<"register"> {
  const common = { name: "register", refusal: "json", cors: true } as const;
  const managed = { ...common, path: `${usualPaths.register}/{client_id}` } as const;
  return {
    name: "registration",
    spec: "RFC 7591, RFC 7592",
    settings: [registrationSetting, clientSecretLifetime],
    isOff: !(configuration.registration ?? !isReachedFromElsewhere(configuration)),
    endpoints: [
      {
        ...common,
        method: "POST",
        path: usualPaths.register,
        metadataName: "registration_endpoint",
        params: ["redirect_uris", "client_name", "grant_types", "token_endpoint_auth_method", "scope"],
        handle: lazy(async () => (await importSteps()).register),
      },
      { ...managed, method: "GET", handle: lazy(async () => (await importSteps()).showRegistration) },
      { ...managed, method: "PUT", handle: lazy(async () => (await importSteps()).replaceRegistration) },
      { ...managed, method: "DELETE", handle: lazy(async () => (await importSteps()).deleteRegistration) },
    ],
    clientSources: [{
      name: registrationSource,
      expects: ({ settings: { baseUrl, paths } }) =>
        `a client that registered at ${baseUrl}${paths.register}`,
      owns: isRegisteredId,
      find: async (id, services) => (await findRegisteredClient(id, services))?.value,
      list: (services) => listClients(registrationSource, services),
      keep: lazy(async () => (await importSteps()).recordApproval),
    }],
    clientMembers: [applicationTypeMember],
  };
}

/** A web client may also have http on loopback: the specification forbids that only for the implicit grant. */
const applicationTypeMember: ClientMember<"web" | "native"> = {
  name: "application_type",
  schema: { type: "string", enum: ["web", "native"] },
  check: (type, { redirectUris }) =>
    checkEach(
      "redirect_uris",
      redirectUris,
      (uri) =>
        (type === "native" ? isNative(uri, redirectUris) : !isAppUri(uri)) ? undefined : expectedUris[type],
    ),
};

const expectedUris = {
  native: "must be http on loopback or the scheme of an app, because application_type is native",
  web: "must be https or http on loopback, because application_type is web, not native",
} as const;

/** RFC 8252 §7.2: an app may claim an https address, too. An app has more than that. */
function isNative(uri: string, all: readonly string[]): boolean {
  return isOnDevice(uri) || uri.startsWith("https:") && all.some(isOnDevice);
}

function isOnDevice(uri: string): boolean {
  return isLoopbackRedirectUri(uri) || isAppUri(uri);
}
