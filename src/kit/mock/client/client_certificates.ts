/** The certificates of clients in a test, and the authority that the server trusts for them (RFC 8705). */

import {
  type CertificateTerms,
  type ClientCertificate,
  createCertificateIssuer,
} from "./issue_certificate.ts";

/** The certificates of one tenant. */
export interface ClientCertificates {
  /** Creates the certificate of a client, which shows it from now on. */
  create(name: string, terms: CertificateTerms, now: number): Promise<ClientCertificate>;
  /** Returns the certificate that the client shows. */
  of(clientId: string): ClientCertificate | undefined;
  /** Returns the authority of the test in DER, if it has signed a certificate. */
  readonly authorities: () => readonly Uint8Array[];
}

export function createClientCertificates(): ClientCertificates {
  const shown = new Map<string, ClientCertificate>();
  let issuing: ReturnType<typeof createCertificateIssuer> | undefined;
  let authorities: readonly Uint8Array[] = [];
  return {
    async create(name, terms, now) {
      const issuer = await (issuing ??= createCertificateIssuer(now));
      authorities = issuer.authorities;
      const certificate = await issuer.issue(name, terms, now);
      shown.set(name, certificate);
      return certificate;
    },
    of: (clientId) => shown.get(clientId),
    authorities: () => authorities,
  };
}
