/** A web page has no client certificates: the browser makes its TLS connections. */

import type { ClientCertificates } from "./client_certificates.ts";

export function createClientCertificates(): ClientCertificates {
  return {
    create: () => Promise.reject(new TypeError(`${noCertificates}, DPoP binds tokens to a key there`)),
    of: () => undefined,
    authorities: () => [],
  };
}

const noCertificates =
  "A web page cannot create client certificates, because its browser makes the TLS connections. Without mutual TLS";
