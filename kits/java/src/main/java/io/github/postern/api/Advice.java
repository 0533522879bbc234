// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.net.URI;
import java.util.List;

/**
 * A rule that the request broke and that the server does not enforce, or why a token is inactive.
 *
 * @param reason The exact cause, for example verifier_wrong.
 * @param description The cause in a sentence.
 * @param spec The rule, for example RFC 7636 §4.6. May be null.
 * @param expected What would be right. May be null.
 * @param redirectUris The client's registered redirect URIs, with which expected begins. Only if
 * the redirect URI is refused. May be null.
 * @param received What the server received. Absent if it may be a secret. May be null.
 * @param change The one change of the request with which the server would have accepted it. May be
 * null.
 * @param looksLike The library that the request looks like, with the line to write: Flask-Dance
 * 7.1: use_pkce=True. May be null.
 * @param instead What the server could be told instead, and what it gives up then. Absent: it gives
 * up nothing. May be null.
 * @param remedy The configuration that says so, as JSON. May be null.
 */
public record Advice(
    String reason,
    String description,
    String spec,
    String expected,
    List<String> redirectUris,
    String received,
    String change,
    String looksLike,
    String instead,
    String remedy) {}
