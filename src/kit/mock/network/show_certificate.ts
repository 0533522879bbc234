/** The certificate that a client in a test shows with a request. */

import type { PeerCertificate } from "../../../ground/http/message.ts";
import { readShownCertificate, type ShownCertificate } from "../../../server/shown_certificate.ts";

const certificates = new WeakMap<Request, PeerCertificate>();

/** Notes the certificate beside the request, because an API of the test takes only a `Request`. The last one counts. */
export function showCertificate(request: Request, shown: ShownCertificate | undefined): void {
  if (shown !== undefined) certificates.set(request, readShownCertificate(shown));
}

export function certificateOf(request: Request): PeerCertificate | undefined {
  return certificates.get(request);
}
