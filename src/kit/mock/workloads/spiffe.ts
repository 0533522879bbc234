/** SPIFFE: the JWT-SVID of a workload, as SPIRE issues it, and SPIRE's discovery document. */

import type { Platform } from "./platform.ts";

// SPIFFE ID §2.1, §2.2: a trust domain in lower case, and segments of a path that are neither empty nor dots.
const spiffeId = /^spiffe:\/\/[a-z0-9._-]{1,255}(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)*$/;

// SPIFFE ID §2.3, in octets. All characters of an id are ASCII.
const longestId = 2048;

export const spiffe: Platform = {
  title: "SPIFFE",
  // Sources:
  // https://github.com/spiffe/spiffe/blob/main/standards/JWT-SVID.md
  // https://github.com/spiffe/spiffe/blob/main/standards/SPIFFE-ID.md
  // https://github.com/spiffe/spire/blob/main/support/oidc-discovery-provider/handler.go
  // https://github.com/spiffe/spire/blob/main/doc/spire_server.md
  alg: "ES256",
  typ: "JWT",
  // SPIRE's default_jwt_svid_ttl.
  lifetime: 300,
  hasId: false,
  jwksPath: "/keys",
  metadata: {
    authorization_endpoint: "",
    response_types_supported: ["id_token"],
    subject_types_supported: [],
    id_token_signing_alg_values_supported: ["RS256", "ES256", "ES384"],
  },
  subject: {
    form: 'a SPIFFE ID, such as "spiffe://example.org/payments/web"',
    read: (sub) => sub.length <= longestId && spiffeId.test(sub) ? {} : undefined,
    write: () => "spiffe://example.org/workload",
  },
  audience: { form: "list", rule: "JWT-SVID §3.2" },
  describe: () => ({}),
};
