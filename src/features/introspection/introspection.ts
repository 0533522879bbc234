/** Token introspection: tells a client or an API whether a token is valid (RFC 7662), also as a JWT (RFC 9701). */

import { usualPaths } from "../../oauth/paths.ts";
import type { Exchange } from "../../oauth/exchange.ts";
import type { Feature } from "../../oauth/feature.ts";
import { lazy } from "../../oauth/lazy.ts";
import type { Services } from "../../oauth/services.ts";
import type { IntrospectionTerms } from "./introspect.ts";
import { introspectionAlg } from "./introspection_jwt.ts";
import { introspectsMember } from "./introspects_member.ts";

export function introspection(terms: IntrospectionTerms = { isOpen: false }): Feature<"introspect"> {
  const introspect = lazy(async () => (await import("./introspect.ts")).introspect);
  return {
    name: "introspection",
    spec: "RFC 7662, RFC 9701",
    endpoints: [{
      method: "POST",
      name: "introspect",
      path: usualPaths.introspect,
      metadataName: "introspection_endpoint",
      announcesClientAuth: terms.isOpen ? "all" : "confidential",
      refusal: "json",
      cors: true,
      handle: (exchange: Exchange, services: Services) => introspect(exchange, terms, services),
    }],
    clientMembers: [introspectsMember, introspectionAlg],
    metadata: { introspection_signing_alg_values_supported: ({ settings }) => settings.algorithms },
  };
}
