/** Token introspection: tells a client or an API whether a token is valid (RFC 7662), also as a JWT (RFC 9701). */

import { isReachedFromElsewhere } from "../../oauth/clients/reach/reached_from_elsewhere.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { Feature, Services } from "../../oauth/contracts/feature.ts";
import { usualPaths } from "../../oauth/contracts/paths.ts";
import type { Setting } from "../../oauth/contracts/feature_values.ts";
import { refuseOption } from "../../oauth/options/set_up_mistake.ts";
import { introspect, introspectionJwt, introspectsMember } from "./introspect.ts";

/** The option of introspection. */
export interface IntrospectionOptions {
  /**
   * Programs may introspect tokens without credentials, as the fixtures of some SDKs do. Only for a server that other
   * machines cannot reach. Default: `false`.
   */
  readonly openIntrospection?: boolean;
}

const openIntrospection: Setting<boolean> = {
  name: "openIntrospection",
  schema: { type: "boolean" },
  read(isOpen, settings) {
    if (!isOpen || !isReachedFromElsewhere(settings)) return isOpen;
    return refuseOption(
      "openIntrospection",
      "is for a server that other machines cannot reach: configure a client with introspects for the API",
    );
  },
};

export function introspection(configuration: IntrospectionOptions = {}): Feature<"introspect"> {
  const isOpen = configuration.openIntrospection ?? false;
  return {
    name: "introspection",
    spec: "RFC 7662, RFC 9701",
    settings: [openIntrospection],
    endpoints: [{
      method: "POST",
      name: "introspect",
      path: usualPaths.introspect,
      metadataName: "introspection_endpoint",
      params: ["token", "token_type_hint"],
      announcesClientAuth: isOpen ? "all" : "confidential",
      refusal: "json",
      cors: true,
      handle: (exchange: Exchange, services: Services) => introspect(exchange, { isOpen }, services),
    }],
    clientMembers: [introspectsMember, introspectionJwt.algMember, ...introspectionJwt.encryptionMembers],
    metadata: introspectionJwt.metadata,
  };
}
