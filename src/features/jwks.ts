/** The public keys (RFC 7517). */

import { json } from "../http/respond.ts";
import type { Feature } from "../oauth/feature.ts";
import { paths } from "../oauth/paths.ts";
import { passSeam } from "../oauth/seams.ts";

export function jwks(): Feature {
  return {
    name: "jwks",
    spec: "RFC 7517",
    endpoints: [{
      method: "GET",
      path: paths.jwks,
      name: "jwks_uri",
      refusal: "json",
      cors: true,
      async handle(exchange, services) {
        const keys = await services.keys.publicKeys();
        const keySet = await passSeam(services.seams, "key_set", { keys }, exchange);
        return json(keySet, {
          headers: { "content-type": "application/jwk-set+json", "cache-control": "public, max-age=60" },
        });
      },
    }],
  };
}
