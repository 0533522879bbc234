/** Client authentication with a secret in the form (OAuth 2.1 §2.4.1). */

import type { Feature } from "../oauth/contracts/feature.ts";

export function clientSecretPost(): Feature {
  return {
    name: "client_secret_post",
    spec: "OAuth 2.1 §2.4.1",
    clientAuth: [{
      name: "client_secret_post",
      read(_exchange, form) {
        const secret = form.get("client_secret");
        return secret === undefined ? [] : [{ clientId: form.get("client_id") ?? "", secret }];
      },
    }],
  };
}
