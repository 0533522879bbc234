/** The route of clients' certificates, for tests of mutual TLS (RFC 8705). */

import { type ControlRoute, route } from "./route.ts";
import { aFlag, anObject, aText, closedObject, oneOrMore, openObject } from "./schema_of.ts";
import { clientAliases } from "./schemas.ts";

export const certificateRoute: ControlRoute = route(
  "POST /certificates",
  "createCertificate",
  {
    summary:
      "Creates the certificate of a client, valid for the clock of the server. An authority of the test signs it, which the " +
      "server trusts. The client shows it from then on in login, refresh and revoke.",
    body: closedObject({
      client: aText("The client id, or another name."),
      subject: aText("The subject (RFC 4514): CN=app,O=Example. Default: CN= and the name of client."),
      dns: oneOrMore("A host name for the certificate, or several."),
      uri: oneOrMore("A URI for the certificate, or several."),
      ip: oneOrMore("An IP address for the certificate, or several."),
      email: oneOrMore("An email address for the certificate, or several."),
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
