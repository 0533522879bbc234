// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * A registration in an answer.
 *
 * @param clientId The id of the new client.
 * @param clientSecret If the authentication method needs a secret. May be null.
 * @param registrationAccessToken The bearer token for registration_client_uri. May be null.
 * @param registrationClientUri The address at which the client reads, updates and deletes its
 * registration. May be null.
 */
public record Registration(
    String clientId,
    String clientSecret,
    String registrationAccessToken,
    String registrationClientUri) {}
