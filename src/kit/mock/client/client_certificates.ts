/** The certificates of clients in a test, and the authority that the server trusts for them (RFC 8705). */

import { lazy } from "../../../server/oauth/lazy.ts";
import type { CertificateTerms, ClientCertificate } from "./issue_certificate.ts";

/** The certificates of one tenant. */
export interface ClientCertificates {
  /** Creates the certificate of a client, which shows it from now on. */
  create(name: string, terms: CertificateTerms, now: number): Promise<ClientCertificate>;
  /** Returns the certificate that the client shows. */
  of(clientId: string): ClientCertificate | undefined;
  /** Returns the authority of the test in DER, if it has signed a certificate. */
  readonly authorities: () => readonly Uint8Array[];
}

// Few tests have certificates.
const createIssuer = lazy(async () => (await import("./issue_certificate.ts")).createCertificateIssuer);

export function createClientCertificates(): ClientCertificates {
  const shown = new Map<string, ClientCertificate>();
  let issuing: ReturnType<typeof createIssuer> | undefined;
  let authorities: readonly Uint8Array[] = [];
  return {
    async create(name, terms, now) {
      const issuer = await (issuing ??= createIssuer(now));
      authorities = issuer.authorities;
      const certificate = await issuer.issue(name, terms, now);
      shown.set(name, certificate);
      return certificate;
    },
    of: (clientId) => shown.get(clientId),
    authorities: () => authorities,
  };
}
