/** The terms of a server's list of features: the configuration says which optional features the server has. */

export interface FeatureTerms {
  /** An unknown client id becomes a client when a person approves its request. */
  readonly firstUse: boolean;
  /** The id of a client may be the URL of its metadata. */
  readonly clientDocuments: boolean;
  /** Clients may bind tokens to a key by DPoP. */
  readonly dpop: boolean;
  /** Clients register themselves (RFC 7591). */
  readonly registration: boolean;
  /** Programs on this machine may introspect tokens without credentials. */
  readonly openIntrospection: boolean;
  /** The path of a protected API beside the server. */
  readonly demoResource: string | undefined;
}

/** The terms of a server with every feature. */
export const everyFeature: FeatureTerms = {
  firstUse: true,
  clientDocuments: true,
  dpop: true,
  registration: true,
  openIntrospection: false,
  demoResource: "/resource",
};
