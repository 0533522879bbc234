/** Checks that a client may register its metadata, and creates the client (RFC 7591 §2.1, §5). */

import { checkSector } from "../../oauth/clients/metadata/sector.ts";
import { type Client, publicClientMethod } from "../../oauth/contracts/client.ts";
import type { CoreClientMetadata } from "../../oauth/clients/metadata/client_metadata.ts";
import { readClient } from "../../oauth/clients/metadata/read_client.ts";
import { findProgram } from "../../oauth/clients/metadata/application_scheme.ts";
import { isLocalRedirectUri } from "../../oauth/clients/metadata/redirect_uri.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { settingOf } from "../../oauth/contracts/feature_values.ts";
import { present } from "../../../ground/values/present.ts";
import { type RefusedMetadata, refuseMetadata } from "./refuse_metadata.ts";
import { registrationSource } from "./registered_client.ts";
import { registrationSetting } from "./registration_settings.ts";
import type { Registrant } from "./require_registrant.ts";

export interface RegistrationTerms extends Registrant {
  readonly id: string;
  readonly epoch: string;
  /** Present if the authentication method needs a secret. */
  readonly secret: string | undefined;
  readonly isApproved: boolean;
}

/** The metadata has every default. */
export async function requireRegistrable(
  metadata: Members,
  { id, epoch, secret, hasInitialToken, isApproved }: RegistrationTerms,
  exchange: Exchange,
  services: Services,
): Promise<Client> {
  const complete = {
    ...metadata,
    ...chooseOperatorMetadata(metadata, services),
    client_id: id,
    ...present({ client_secret: secret }),
  };
  const facts = {
    source: registrationSource,
    registeredItself: true as const,
    epoch,
    ...present({ approvedBy: isApproved ? "operator" as const : undefined }),
  };
  // Each member has passed its schema.
  const client = readClient(complete as CoreClientMetadata, facts, services.slots);
  if ("place" in client) return refuseMetadata(client, complete);
  const problem = findContradiction(client) ??
    (hasInitialToken ? undefined : findPrivilege(client, services)) ??
    await checkSector(client, exchange, services);
  return problem === undefined ? client : refuseMetadata(problem, complete);
}

function chooseOperatorMetadata(
  { token_endpoint_auth_method: method }: Members,
  { settings, slots }: Services,
): Members {
  const signs = slots.clientAuth.get(`${method}`)?.assertionAlgorithms !== undefined;
  const { require_pkce, oauth_version, client_assertion_audience } =
    settingOf(settings, registrationSetting).clientMetadata;
  return {
    // Only PKCE protects the codes of a public client.
    ...(method === publicClientMethod ? {} : present({ require_pkce, oauth_version })),
    ...present({ client_assertion_audience: signs ? client_assertion_audience : undefined }),
  };
}

/** RFC 7591 §2.1: grant types, response types and redirect URIs belong together. */
function findContradiction(
  { grantTypes, responseTypes, redirectUris, authentication }: Client,
): RefusedMetadata | undefined {
  const hasCodeFlow = grantTypes.includes("authorization_code");
  if (hasCodeFlow !== responseTypes.includes("code")) {
    return hasCodeFlow
      ? { place: "response_types", expected: "must have code, because grant_types has authorization_code" }
      : { place: "grant_types", expected: "must have authorization_code, because response_types has code" };
  }
  if (hasCodeFlow && redirectUris.length === 0) {
    return {
      place: "redirect_uris",
      expected: "must have a URI, because grant_types has authorization_code",
      received: "no URI",
    };
  }
  if (grantTypes.includes("client_credentials") && authentication?.method === publicClientMethod) {
    return {
      place: "grant_types",
      expected:
        "must not have client_credentials, because token_endpoint_auth_method is none (RFC 6749 §4.4)",
    };
  }
  return undefined;
}

const openGrantTypes: readonly string[] = ["authorization_code", "refresh_token"];

/** Finds what needs an initial access token. Without it, tokens must not leave this machine or act for no person. */
function findPrivilege(
  { grantTypes, redirectUris }: Client,
  { settings }: Services,
): RefusedMetadata | undefined {
  const grantType = grantTypes.findIndex((name) => !openGrantTypes.includes(name));
  if (grantType !== -1) {
    return {
      place: `grant_types[${grantType}]`,
      expected: `must be one of ${openGrantTypes.join(", ")}: others need an initial access token`,
      needsInitialToken: true,
    };
  }
  const uri = redirectUris.findIndex((each) =>
    !isLocalRedirectUri(each, settings) && findProgram(each) === undefined
  );
  if (uri === -1) return undefined;
  return {
    place: `redirect_uris[${uri}]`,
    expected:
      "must be http on loopback or a private scheme (com.example.app:/callback): others need an initial " +
      "access token",
    needsInitialToken: true,
  };
}
