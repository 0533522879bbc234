/** Request objects: the client sends its authorization request as a JWT that it has signed, by value or pushed. */

import { acceptedAlgorithmsMember } from "../../oauth/clients/accepted_algorithms.ts";
import { hasKeys, jwksMember, jwksUriMember } from "../../oauth/clients/client_keys.ts";
import type { ClientMember, Feature } from "../../oauth/feature.ts";
import { type Setting, settingOf } from "../../oauth/feature_values.ts";
import { otherNames } from "../../schema/schema.ts";
import { requestObjectAlg, requestObjectTimes } from "./request_object_members.ts";
import { createRequestObjectResolver } from "./resolve_request_object.ts";

const name = "signed request object";

const requireSigned: ClientMember<boolean> = {
  name: "require_signed_request_object",
  schema: { type: "boolean" },
  check(isRequired, client) {
    return isRequired && !hasKeys(client)
      ? {
        place: "require_signed_request_object",
        expected: "must be left out, or the client needs jwks or jwks_uri",
      }
      : undefined;
  },
};

export interface RequestObjectOptions {
  /**
   * `true`: every client must sign its authorization requests (RFC 9101). A single client has
   * `require_signed_request_object`. Default: `false`.
   */
  readonly requireSignedRequests?: boolean;
}

const requiredOfAll: Setting<boolean> = {
  name: "requireSignedRequests",
  schema: { type: "boolean", [otherNames]: [requireSigned.name, "requireJar"] },
};

export function requestObject(): Feature {
  return {
    name: "request_object",
    spec: "RFC 9101",
    settings: [requiredOfAll],
    clientMembers: [
      jwksMember,
      jwksUriMember,
      requestObjectAlg,
      requestObjectTimes,
      requireSigned,
      acceptedAlgorithmsMember,
    ],
    requestSources: [{
      name,
      param: "request",
      resolve: createRequestObjectResolver(name),
      requiredBy: { setting: requiredOfAll, member: requireSigned, spec: "RFC 9101 §10.5" },
    }],
    metadata: {
      request_object_signing_alg_values_supported: ({ settings }) => settings.acceptedAlgorithms,
      require_signed_request_object: ({ settings }) => settingOf(settings, requiredOfAll) ?? false,
    },
  };
}
