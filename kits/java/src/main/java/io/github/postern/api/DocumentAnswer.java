// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.Map;

/**
 * The answer instead of the document, if a call has set one.
 *
 * @param status The status. Default: 200. May be null.
 * @param headers The headers. Default: &#123;"content-type": "application/json"&#125;. May be null.
 * @param body The body as text. Default: empty. May be null.
 */
public record DocumentAnswer(
    Integer status,
    Map<String, String> headers,
    String body) {}
