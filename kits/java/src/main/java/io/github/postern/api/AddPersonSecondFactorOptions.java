// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a {@code addPersonSecondFactor} has. */
public final class AddPersonSecondFactorOptions {
  final Map<String, Object> members = new LinkedHashMap<>();

  AddPersonSecondFactorOptions() {}

  /** totp: an authenticator app makes the codes. code: the server gives them. */
  public AddPersonSecondFactorOptions kind(ListedPersonSecondFactor kind) {
    return put("kind", kind);
  }

  /**
   * The secret of the authenticator app in base32, of at least 16 octets. Default: the server
   * derives one.
   */
  public AddPersonSecondFactorOptions secret(String secret) {
    return put("secret", secret);
  }

  /**
   * true: each sign-in of this person needs the factor. Default: if the request, the client or the
   * server asks for it.
   */
  public AddPersonSecondFactorOptions always(boolean always) {
    return put("always", always);
  }

  private AddPersonSecondFactorOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
