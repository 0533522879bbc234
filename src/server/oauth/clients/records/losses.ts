/** What the server gives up with a configuration that a refusal suggests. */

/** By the member as JSON has it. A member that is not here takes no check away. */
export const losses: Readonly<Record<string, string>> = {
  '"require_pkce": false':
    "Without PKCE, the server cannot notice a stolen code: the client itself must compare the nonce.",
  '"oauth_version": "2.0"':
    "With oauth_version 2.0, the client need not even send a nonce, so nothing notices a stolen code.",
  '"token_endpoint_auth_method": "none"': "Any program that knows the client_id can then use this client.",
  '"allow_private_http": true': "The codes of this client cross the network unencrypted.",
  '"clientDocuments": true': "The server then fetches the addresses that unknown clients name.",
};

/** What ends the search for a public client whose library sends no PKCE. */
export const otherLibrary = "use a library that sends PKCE, such as oidc-client-ts";

/** Says on which conditions a client may do without PKCE. */
export function whoMayOmitPkce({ isConfigured, registeredItself, missing }: {
  readonly isConfigured: boolean;
  readonly registeredItself: boolean | undefined;
  readonly missing: readonly string[];
}): string {
  const setting = registeredItself
    ? "registration.clientMetadata with require_pkce: false"
    : "require_pkce: false";
  const who = isConfigured ? "This client" : "Only a configured client with a secret or a key";
  const others = isConfigured
    ? ""
    : ` A page or an app keeps no secret, and has no exception: ${otherLibrary}.`;
  return `${who} may do without PKCE, with ${[setting, ...missing].join(" and ")}.${others}`;
}
