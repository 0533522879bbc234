/** The certificate that a program passes to `fetch` as that of the client. */

import { readCertificates } from "../ground/crypto/x509/pem.ts";
import type { PeerCertificate } from "../ground/http/message.ts";

/** The certificate of a client, without its key. */
export interface ShownCertificate {
  /** The certificate in PEM, followed by the intermediate certificates. */
  readonly cert: string;
}

export function readShownCertificate({ cert }: ShownCertificate): PeerCertificate {
  const chain = readCertificates(cert);
  if (chain.length > 0) return { chain };
  throw new TypeError(
    "Cannot read the certificate of the request: expected { cert }, with a certificate in PEM",
  );
}
