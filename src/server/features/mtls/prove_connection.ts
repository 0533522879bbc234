/** What the certificate of a connection proves: the key of its sender (RFC 8705 §3), and the client (RFC 8705 §2). */

import type { KeyObject } from "node:crypto";
import { certificateThumbprint } from "../../../ground/crypto/platform.ts";
import { memberOf } from "../../oauth/contracts/feature_values.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { ProofOptions, ProofResult, Services } from "../../oauth/contracts/feature.ts";
import { boundMember, findSubject } from "./subject_members.ts";
import { describeClientKeys } from "../../oauth/clients/authentication/client_keys.ts";
import { keySourceOf } from "../../oauth/clients/authentication/client_jwt.ts";
import { createKeyCache } from "../../oauth/foreign/foreign_keys.ts";
import type { Client } from "../../oauth/contracts/client.ts";
import { clientChallenge } from "../../oauth/clients/authentication/read_credentials.ts";
import { type OAuthError, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { type Jwk, thumbprint } from "../../../ground/crypto/jwk.ts";
import { findChainProblem, type ReadCertificate, readDerCertificate } from "./find_chain_problem.ts";
import { describeSubject, hasSubject } from "./has_subject.ts";
import { remember } from "../../../ground/values/remember.ts";

export function proveCertificate(exchange: Exchange, { client }: ProofOptions): ProofResult | undefined {
  // At the token endpoint, a certificate binds only the tokens of a client that wants that (RFC 8705 §3.4).
  if (client !== undefined && memberOf(client, boundMember) !== true) return undefined;
  const [own] = exchange.request.certificate?.chain ?? [];
  return own && { thumbprint: certificateThumbprint(own) };
}

// The same sentence for each cause, so that the answer does not help to guess.
const refusal = refusals({
  error: "invalid_client",
  spec: "RFC 8705 §2",
  sentence: "Client authentication failed",
}, {
  certificate_missing: {
    expected: "the certificate of the client in the handshake of TLS, or in the header of a trusted proxy",
    change:
      "Send the request with the client's certificate, to the address in mtls_endpoint_aliases of the metadata.",
  },
  certificate_unreadable: {
    expected: "a certificate (X.509)",
    change: "Let the proxy write the client's certificate into the header in the form of that header.",
  },
  certificate_unproven: {
    expected:
      "a certificate of version 3 with extensions, because Deno does not check that a client holds the key of another one",
    change:
      "Let the authority add an extension, for example extendedKeyUsage, or start the server with Node or Bun.",
  },
  certificate_untrusted: {
    spec: "RFC 8705 §2.1",
    expected: "a certificate that leads to an authority of mtls.ca",
    change: "Use a certificate of a trusted authority, and send the intermediate certificates with it.",
  },
  certificate_not_valid_now: {
    spec: "RFC 8705 §2.1, RFC 5280 §6.1.3",
    expected: "certificates that are valid at {now}, by the clock of the server",
    change: "Use a certificate that is valid now.",
  },
  certificate_subject_differs: {
    spec: "RFC 8705 §2.1.2",
    expected: "{subject}",
    change: "Use the certificate whose subject the client has registered, or register this subject.",
  },
  certificate_key_differs: {
    spec: "RFC 8705 §2.2",
    expected: "{key}",
    change: "Use the certificate whose key is in the client's jwks, or add its key there.",
  },
});

export const refused: RefusalRows = refusal.rows;

type Proof = (client: Client, exchange: Exchange, services: Services) => Promise<OAuthError | undefined>;

/** Returns the proof of `tls_client_auth`. `listAuthorities` returns the certificates of the authorities in DER. */
export function createSubjectProof(listAuthorities: (services: Services) => readonly Uint8Array[]): Proof {
  const read = new Map<Uint8Array, ReadCertificate>();
  const readOnce = (der: Uint8Array) => remember(read, der, () => readDerCertificate(der));
  // deno-lint-ignore require-await -- an error must be a rejection
  return async (client, exchange, services) => {
    const shown = readShown(exchange, services);
    if (shown instanceof Error) return shown;
    const [own, ...others] = shown;
    const challenge = clientChallenge({}, services);
    const now = services.now();
    const problem = findChainProblem(own, others, listAuthorities(services).map(readOnce), now);
    if (problem?.reason === "dates") {
      return refusal("certificate_not_valid_now", {
        ...challenge,
        now: new Date(now * 1000).toISOString(),
        received: problem.received,
      });
    }
    if (problem !== undefined) {
      return refusal("certificate_untrusted", { ...challenge, received: problem.received });
    }
    const subject = findSubject(client)!;
    if (hasSubject(own, subject)) return undefined;
    return refusal("certificate_subject_differs", {
      ...challenge,
      subject: `${subject.kind} ${subject.value}`,
      received: describeSubject(own, subject),
    });
  };
}

/** RFC 8705 §2.2.1: the chain is not checked. The dates are of the client's own making, so they protect nothing either. */
export function createKeyProof(): Proof {
  const tryKeys = createKeyCache();
  return async (client, exchange, services) => {
    const shown = readShown(exchange, services);
    if (shown instanceof Error) return shown;
    const { publicKey } = shown[0].certificate;
    // RFC 7517 §4.2: a key for encryption, which other programs may hold, does not authenticate.
    const own = thumbprintOf(publicKey);
    const find = (keys: readonly Jwk[]) => keys.find((jwk) => jwk.use !== "enc" && thumbprint(jwk) === own);
    if (await tryKeys(find, keySourceOf(client, exchange, services), exchange, services)) return undefined;
    return refusal("certificate_key_differs", {
      ...clientChallenge({}, services),
      key: describeClientKeys(client),
      received: `a certificate with another key (${publicKey.asymmetricKeyType})`,
    });
  };
}

function readShown(
  exchange: Exchange,
  services: Services,
): readonly [ReadCertificate, ...ReadCertificate[]] | OAuthError {
  const { certificate } = exchange.request;
  const challenge = clientChallenge({}, services);
  if (certificate === undefined) {
    return refusal("certificate_missing", { ...challenge, received: "no certificate" });
  }
  if (certificate.isUnproven) {
    return refusal("certificate_unproven", { ...challenge, received: "a certificate of another form" });
  }
  try {
    const [own, ...others] = certificate.chain.map(readDerCertificate);
    if (own !== undefined) return [own, ...others];
  } catch {
    // The refusal says where it comes from.
  }
  const { header } = certificate;
  return refusal("certificate_unreadable", {
    ...challenge,
    received: header === undefined ? "a malformed certificate" : `a malformed header ${header}`,
  });
}

/** Returns `undefined` for a kind of key that JWK has no name for, which no client can have registered. */
function thumbprintOf(publicKey: KeyObject): string | undefined {
  try {
    return thumbprint(publicKey.export({ format: "jwk" }) as Jwk);
  } catch {
    return undefined;
  }
}
