/** The certificates of clients in a test, and the authority that the server trusts for them (RFC 8705). */

import { createPublicKey } from "node:crypto";
import { createAuthority, createClientCertificate } from "../../../ground/crypto/x509/certificate.ts";
import type { Jwk } from "../../../ground/crypto/jwk.ts";
import { readCertificates } from "../../../ground/crypto/x509/pem.ts";
import { certificateThumbprint } from "../../../ground/crypto/platform.ts";
import { toList } from "../terms/configured.ts";
import { requireTerms, types } from "../terms/known_options.ts";

export interface ClientCertificates {
  /** Creates the certificate of a client, which shows it from now on. */
  create(name: string, terms: CertificateTerms, now: number): Promise<ClientCertificate>;
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

/** Options of `certificate`. */
export interface CertificateTerms {
  /** The subject as text (RFC 4514): `CN=app,O=Example`. Default: `CN=` and the name. */
  readonly subject?: string;
  /** Host names for the certificate. */
  readonly dns?: string | readonly string[];
  /** URIs for the certificate. */
  readonly uri?: string | readonly string[];
  /** IP addresses for the certificate. */
  readonly ip?: string | readonly string[];
  /** Email addresses for the certificate. */
  readonly email?: string | readonly string[];
  /**
   * `true`: the client signs its certificate itself, for `self_signed_tls_client_auth`. Default: an authority of
   * the test signs it, which the server trusts.
   */
  readonly selfSigned?: boolean;
}

/** The certificate of a client, with which it connects (RFC 8705), and its private key. */
export interface ClientCertificate {
  /** The certificate in PEM. */
  readonly cert: string;
  /** The private key in PEM (PKCS #8). */
  readonly key: string;
  /** The public key, for the `jwks` of a client with `self_signed_tls_client_auth`. */
  readonly jwk: Jwk;
  /** As in `cnf["x5t#S256"]` of tokens that are bound to the certificate. */
  readonly thumbprint: string;
  /** The subject as text, for `tls_client_auth_subject_dn`. */
  readonly subject: string;
}

const day = 24 * 60 * 60;
const year = 365 * day;

async function createCertificateIssuer(now: number) {
  const authority = await createAuthority({
    name: "Postern test authority of clients",
    // A test may turn its clock far.
    validity: { from: Math.max(0, now - 20 * year), until: now + 40 * year },
    keepsKey: false,
  });
  return {
    authorities: readCertificates(authority.cert),
    async issue(name: string, given: CertificateTerms, now: number): Promise<ClientCertificate> {
      requireTerms("create a certificate", given, types.CertificateTerms);
      const { subject, dns, uri, ip, email, selfSigned = false } = given;
      const terms = {
        subject: subject ?? [[{ type: "2.5.4.3", value: name }]],
        validity: { from: now - day, until: now + 10 * year },
        ...{ dns: toList(dns), uri: toList(uri), ip: toList(ip), email: toList(email) },
      };
      const certificate = await createClientCertificate(terms, selfSigned ? undefined : authority);
      return {
        ...certificate,
        jwk: createPublicKey(certificate.cert).export({ format: "jwk" }) as Jwk,
        thumbprint: certificateThumbprint(readCertificates(certificate.cert)[0]!),
      };
    },
  };
}
