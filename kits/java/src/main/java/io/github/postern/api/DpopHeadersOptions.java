// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#dpopHeaders}. */
public final class DpopHeadersOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private DpopHeadersOptions() {}

  /** The method of the request to the API. Default: GET. */
  public DpopHeadersOptions method(String method) {
    return put("method", method);
  }

  /** The nonce from the header DPoP-Nonce of the API. */
  public DpopHeadersOptions nonce(String nonce) {
    return put("nonce", nonce);
  }

  /**
   * The private JWK, or true for a key that the token is not bound to. Default: the key of the
   * token.
   */
  public DpopHeadersOptions dpop() {
    return put("dpop", true);
  }

  /**
   * The private JWK, or true for a key that the token is not bound to. Default: the key of the
   * token.
   */
  public DpopHeadersOptions dpop(Map<String, ?> dpop) {
    return put("dpop", dpop);
  }

  /** Claims that are added to the proof or replace its claims, to test an API. */
  public DpopHeadersOptions claims(Map<String, ?> claims) {
    return put("claims", claims);
  }

  static Map<String, Object> of(Consumer<DpopHeadersOptions> options) {
    DpopHeadersOptions chosen = new DpopHeadersOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private DpopHeadersOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
