// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import io.github.postern.JsonName;

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
    @JsonName("client_id") String clientId,
    @JsonName("client_secret") String clientSecret,
    @JsonName("registration_access_token") String registrationAccessToken,
    @JsonName("registration_client_uri") String registrationClientUri) {}
