/** What the server gives up with a configuration that a refusal suggests. */

/** By the member as JSON has it. A member that is not here takes no check away. */
export const losses: Readonly<Record<string, string>> = {
  '"require_pkce": false':
    "Without PKCE, the server cannot notice a stolen code: the client must compare the nonce.",
  '"oauth_version": "2.0"': "With oauth_version 2.0 it need not even send one.",
  '"token_endpoint_auth_method": "none"': "Any program can then be this client.",
  '"allow_private_http": true': "Its codes cross the network unencrypted.",
};
