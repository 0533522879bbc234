// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.net.URI;
import java.util.Map;

/**
 * A callback in an answer.
 *
 * @param method GET, or POST with response_mode=form_post.
 * @param url The redirect URI, with the code or the error in its query (GET) or in form (POST).
 * @param form The fields of the form, with response_mode=form_post. May be null.
 */
public record Callback(
    String method,
    String url,
    Map<String, Object> form) {}
