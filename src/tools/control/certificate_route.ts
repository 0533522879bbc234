/** The route of clients' certificates, for tests of mutual TLS (RFC 8705). */

import type { CertificateTerms } from "../../kit/mock/client/issue_certificate.ts";
import type { Schema } from "../../server/schema/schema.ts";
import { text, texts } from "../../server/schema/text.ts";
import { type ControlRoute, route } from "./route.ts";
import { aFlag, anObject, aText, clientAliases, closedObject, either, openObject } from "./schemas.ts";

interface CertificateBody extends CertificateTerms {
  readonly client: string;
}

/** The schema of one name in a certificate, or of several. */
function names(description: string): Schema {
  return either(description, text, texts);
}

export const certificateRoute: ControlRoute = route<CertificateBody>(
  "POST /certificates",
  "createCertificate",
  {
    summary:
      "Creates the certificate of a client, valid for the clock of the server. An authority of the test signs it, which the " +
      "server trusts. The client shows it from then on in login, refresh and revoke.",
    body: closedObject({
      client: aText("The client id, or another name."),
      subject: aText("The subject (RFC 4514): CN=app,O=Example. Default: CN= and the name of client."),
      dns: names("A host name for the certificate, or several."),
      uri: names("A URI for the certificate, or several."),
      ip: names("An IP address for the certificate, or several."),
      email: names("An email address for the certificate, or several."),
      selfSigned: aFlag("true: the client signs its certificate itself, for self_signed_tls_client_auth."),
    }, {
      required: ["client"],
      example: { client: "app", subject: "CN=app,O=Example", dns: ["app.example"] },
    }),
    aliases: clientAliases,
    answer: openObject({
      cert: aText("The certificate in PEM."),
      key: aText("The private key in PEM (PKCS #8)."),
      jwk: anObject("The public key, for the jwks of a client with self_signed_tls_client_auth."),
      thumbprint: aText("As in the member x5t#S256 of cnf in tokens that are bound to the certificate."),
      subject: aText("The subject as text, for tls_client_auth_subject_dn."),
    }, ["cert", "key", "jwk", "thumbprint", "subject"]),
    handle: ({ tenant, body: { client, ...terms } }) => tenant.certificate(client, terms),
  },
);
