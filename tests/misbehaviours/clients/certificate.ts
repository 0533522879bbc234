/** Has access tokens that are bound to a certificate (RFC 8705 §3). */

import type { ClientCertificate, Mock } from "../../../src/mock/mod.ts";

/** Returns the certificate to which the server binds the tokens of the client from now on. */
export async function bindByCertificate(as: Mock, clientId: string): Promise<ClientCertificate> {
  as.clients.change(clientId, { tls_client_certificate_bound_access_tokens: true });
  return await as.certificate(clientId);
}
