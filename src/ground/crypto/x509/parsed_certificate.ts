/** A certificate that the runtime has parsed, and that verifies the signatures of others. */

import { X509Certificate } from "node:crypto";
import { toPem } from "./pem.ts";

/** As PEM, because Node looks for PEM in DER: a certificate could hide another one in an extension. */
export function parseCertificate(der: Uint8Array): X509Certificate {
  return new X509Certificate(toPem("CERTIFICATE", der));
}
