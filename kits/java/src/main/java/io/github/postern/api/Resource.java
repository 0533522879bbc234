// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A resource in an answer.
 *
 * @param id The name of the API in the paths of other calls, for example resource-1.
 * @param url The URL that identifies the API: the resource of a login, and the aud of its tokens.
 * At the origin of the issuer, this server answers there.
 * @param metadataUrl The URL of the metadata (RFC 9728). Absent if there is none. May be null.
 * @param scope The scopes that every request needs. May be null.
 * @param rules What certain requests need in addition. May be null.
 * @param acr The values of the claim acr, of which every token must have one (RFC 9470). May be
 * null.
 * @param maxAge How long ago the person may have signed in (RFC 9470). May be null.
 * @param dpop How the API uses DPoP. Default: it accepts bearer tokens and bound tokens, without
 * nonces. May be null.
 * @param scopes scopes_supported of the metadata. Default: the metadata names no scopes. May be
 * null.
 * @param metadata Where the metadata (RFC 9728) is. path: at the well-known path, followed by the
 * path of the API. root: at the well-known path alone. Text that is a URL or a path: there, at the
 * origin of the API. false: nowhere. Default: path. May be null.
 * @param document Members that the metadata has in addition, or with another value. A member with
 * the value null is left out. May be null.
 * @param challenge How refusals challenge the client. false: without the header WWW-Authenticate.
 * May be null.
 * @param authorizationServers The authorization servers whose tokens the API accepts: this server,
 * its tenants, or an issuer that only the metadata names. Default: this server. May be null.
 * @param answer The answer to a request that the API accepts. Default: the claims of the token, as
 * JSON. May be null.
 * @param requests How many requests to the API are recorded.
 */
public record Resource(
    String id,
    String url,
    String metadataUrl,
    List<String> scope,
    List<ResourceRule> rules,
    List<String> acr,
    Duration maxAge,
    ResourceDpop dpop,
    List<String> scopes,
    String metadata,
    Map<String, Object> document,
    ResourceChallenge challenge,
    List<String> authorizationServers,
    ResourceAnswer answer,
    int requests) {}
