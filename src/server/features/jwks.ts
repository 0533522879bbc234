/** The JWKS endpoint: the public keys of the server (RFC 7517). */

import { etagOf } from "../../ground/crypto/bytes.ts";
import type { PublicJwk } from "../../ground/crypto/jwk.ts";
import { serveStatic } from "../../ground/http/respond.ts";
import { usualPaths } from "../oauth/contracts/paths.ts";
import type { Feature } from "../oauth/contracts/feature.ts";
import { passSeam } from "../oauth/contracts/seams.ts";
import { prepareAnnouncedKeys } from "../oauth/endpoints/describe_server.ts";

// In seconds. Short, so that clients soon know a new key.
const maxAge = 60;

export function jwks(): Feature<"jwks"> {
  return {
    name: "jwks",
    spec: "RFC 7517",
    endpoints: [{
      method: "GET",
      name: "jwks",
      path: usualPaths.jwks,
      metadataName: "jwks_uri",
      refusal: "json",
      cors: true,
      async handle(exchange, services) {
        await prepareAnnouncedKeys(services);
        // Copies, so that a seam changes only the response and not the server's keys.
        const { publishesUsedKeys, algorithms, idTokenAlgorithms } = services.settings;
        const isUsed = ({ alg }: PublicJwk) =>
          [...algorithms, ...idTokenAlgorithms].some((each) => each === alg);
        const keys = (await services.keys.publicKeys())
          .filter((key) => !publishesUsedKeys || isUsed(key)).map((key) => ({ ...key }));
        const keySet = await passSeam(services.seams, "key_set", { keys }, exchange);
        const text = JSON.stringify(keySet);
        const file = { type: "application/jwk-set+json", text, etag: etagOf(text) };
        return serveStatic(exchange.request, file, maxAge);
      },
    }],
  };
}
