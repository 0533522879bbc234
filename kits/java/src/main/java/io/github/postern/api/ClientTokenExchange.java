// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.List;

/**
 * Which tokens the client may exchange, and for what (RFC 8693). Default: none. (Not a registered
 * name: only this server reads it.)
 *
 * @param from Whose tokens the client may exchange: the ids of clients, and issuers of trust. May
 * be null.
 * @param to The audiences that the new access tokens may have. If there is only one, a request that
 * names none gets it. May be null.
 * @param actors Whose tokens may be the actor_token: the ids of clients, and issuers of trust. With
 * this list, each request for an access token needs an actor_token. Default: none. May be null.
 * @param withoutProof The audiences of this client itself. If another client got a token for one of
 * them, and the token is bound to a key, this client may exchange the token without a proof of the
 * key. May be null.
 * @param idJag The servers for which the client gets an ID-JAG in exchange for its own token of a
 * person. May be null.
 */
public record ClientTokenExchange(
    List<String> from,
    List<String> to,
    List<String> actors,
    List<String> withoutProof,
    List<ClientTokenExchangeIdJag> idJag) {}
