// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.Map;

/**
 * The certificate of a client, with which it connects (RFC 8705), and its private key.
 *
 * @param cert The certificate in PEM.
 * @param key The private key in PEM (PKCS #8).
 * @param jwk The public key, for the jwks of a client with self_signed_tls_client_auth.
 * @param thumbprint As in cnf["x5t#S256"] of tokens that are bound to the certificate.
 * @param subject The subject as text, for tls_client_auth_subject_dn.
 */
public record Certificate(
    String cert,
    String key,
    Map<String, Object> jwk,
    String thumbprint,
    String subject) {}
