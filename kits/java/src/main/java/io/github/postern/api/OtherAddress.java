// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.Map;

/**
 * An other address in an answer.
 *
 * @param id The name of the address in the path of DELETE, for example route-1.
 * @param route The method and the URL: "GET https://api.github.com/user/orgs". A path instead of
 * the URL is at the origin of the issuer. At the hosts of a look-alike, programs behind the proxy
 * reach it.
 * @param status The status. Default: 200. May be null.
 * @param headers The headers. Default of content-type: application/json. May be null.
 * @param body Text, or an object or a list, which is sent as JSON. Default: empty. May be null.
 */
public record OtherAddress(
    String id,
    String route,
    Integer status,
    Map<String, String> headers,
    Object body) {}
