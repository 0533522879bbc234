// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * The parameters of the header WWW-Authenticate.
 *
 * @param realm Default: the URL of the API. May be null.
 * @param scope Which scopes the challenge names: all that the request needs, only those that its
 * token lacks, or none. Default: needed. May be null.
 * @param metadata Whether the challenge names the URL of the metadata (RFC 9728 §5.1). Default:
 * true, if there is metadata. May be null.
 */
public record ResourceChallenge(
    String realm,
    ResourceChallengeScope scope,
    Boolean metadata) {}
