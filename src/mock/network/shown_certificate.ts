/** The certificate that a client in a test shows with a request. */

import type { PeerCertificate } from "../../http/message.ts";
import { readShownCertificate, type ShownCertificate } from "../../server/shown_certificate.ts";

const certificate = Symbol("the certificate of a request");

/** Notes the certificate on the request itself, because an API of the test takes only a `Request`. */
export function showCertificate(request: Request, shown: ShownCertificate | undefined): void {
  if (shown !== undefined) {
    Object.defineProperty(request, certificate, { value: readShownCertificate(shown) });
  }
}

export function certificateOf(request: Request): PeerCertificate | undefined {
  return Reflect.get(request, certificate) as PeerCertificate | undefined;
}
