/** The addresses of the metadata, each of which a configuration can switch off (RFC 8414 §3.1, OpenID Connect Discovery §4). */

/**
 * Where a metadata document is. `inserted`: the well-known path is before the path of the issuer. `appended`: it is
 * after the path of the issuer. For an issuer without a path, both are the same address.
 */
export type MetadataForm = "both" | "inserted" | "appended" | false;

/** The forms of the two documents. A document that is left out keeps its usual addresses. */
export interface MetadataAddresses {
  /**
   * Where `/.well-known/oauth-authorization-server` is, if the issuer has a path: before that path (`inserted`), after it
   * (`appended`), or both. `false`: nowhere. Default: `inserted`, or `both` with the paths `navikt`.
   */
  readonly oauthAuthorizationServer?: MetadataForm;
  /**
   * Where `/.well-known/openid-configuration` is, if the issuer has a path: before that path (`inserted`), after it
   * (`appended`), or both. `false`: nowhere. Default: `both`.
   */
  readonly openidConfiguration?: MetadataForm;
}

export const metadataPaths: Readonly<Record<keyof MetadataAddresses, string>> = {
  oauthAuthorizationServer: "/.well-known/oauth-authorization-server",
  openidConfiguration: "/.well-known/openid-configuration",
};
