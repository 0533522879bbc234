/** Creates the metadata from the slots, so that the server announces exactly what it supports (RFC 8414 §2). */

import { etagOf } from "../../../ground/crypto/bytes.ts";
import { signingAlgorithms } from "../../../ground/crypto/platform.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { serveStatic } from "../../../ground/http/respond.ts";
import { baseUrlFor, endpointUrls } from "../requests/server_urls.ts";
import { clientAuthMethods } from "../clients/metadata/client_auth_methods.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { Endpoint, Services, Slots } from "../contracts/feature.ts";
import type { Members } from "../../../ground/values/members.ts";
import { passSeam } from "../contracts/seams.ts";
import type { Settings } from "../contracts/settings.ts";

/** `programUrl` is what the URLs of the endpoints for programs begin with. Default: the issuer. */
export function describeServer(
  services: Services,
  programUrl: string = services.settings.baseUrl,
): Members {
  const { settings, slots } = services;
  const urls = endpointUrls(services, programUrl);
  return withoutEmptyLists({
    issuer: settings.issuer,
    ...Object.fromEntries(urls),
    scopes_supported: [...new Set([...slots.scopes, ...settings.scopes.keys()])],
    response_types_supported: [...slots.responseTypes.keys()],
    response_modes_supported: [...slots.responseModes.keys()],
    grant_types_supported: [...slots.grantTypes.keys()],
    ...describeClientAuth(slots, settings),
    ...Object.fromEntries(
      Object.entries(slots.metadata).map(([name, value]) => [
        name,
        typeof value === "function" ? value(services, programUrl) : value,
      ]),
    ),
  });
}

/** Describes how clients authenticate at each endpoint that announces it (RFC 8414 §2). */
function describeClientAuth(slots: Slots, { acceptedAlgorithms }: Settings): Members {
  const { endpoints, clientAuth } = slots;
  const methods = [...clientAuth.values()];
  const known = new Set(methods.flatMap(({ assertionAlgorithms = [] }) => assertionAlgorithms));
  const refused = signingAlgorithms.filter((alg) => !acceptedAlgorithms.includes(alg));
  const algorithms = [...known].filter((alg) => !refused.some((each) => each === alg));
  const members = endpoints.flatMap(({ metadataName, announcesClientAuth: clients }) =>
    clients === undefined ? [] : [
      [
        `${metadataName}_auth_methods_supported`,
        clients === "all" ? clientAuthMethods(slots) : [...clientAuth.keys()],
      ],
      [`${metadataName}_auth_signing_alg_values_supported`, algorithms],
    ]
  );
  return Object.fromEntries(members);
}

/** Removes empty lists (RFC 8414 §3.2). */
function withoutEmptyLists(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) =>
      value !== undefined && (!Array.isArray(value) || value.length > 0)
    ),
  );
}

/** The endpoint of the metadata, which has several addresses. */
export const metadataEndpoint: Omit<Endpoint<"metadata">, "path"> = {
  method: "GET",
  name: "metadata",
  refusal: "json",
  cors: true,
  handle: showMetadata,
};

async function showMetadata(exchange: Exchange, services: Services): Promise<Answer> {
  // The client reads the keys later, so the answer does not wait for them.
  void prepareAnnouncedKeys(services);
  const described = describeServer(services, baseUrlFor(exchange, services.settings));
  const metadata = await passSeam(services.seams, "metadata", described, exchange);
  const text = JSON.stringify(metadata);
  return serveStatic(exchange.request, { type: "application/json", text, etag: etagOf(text) }, 60);
}

/** Makes the keys for the announced ID token algorithms. If that fails, the next request tries again. */
export async function prepareAnnouncedKeys({ settings, keys }: Services): Promise<void> {
  for (const alg of settings.idTokenAlgorithms) await keys.prepare(alg).catch(() => {});
}
