// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The algorithm of the content of encrypted authorization responses. Default: A128CBC-HS256. */
public enum ContentEncryption {
  /** {@code A128CBC-HS256} */
  A128CBC_HS256("A128CBC-HS256"),
  /** {@code A128GCM} */
  A128GCM("A128GCM"),
  /** {@code A256GCM} */
  A256GCM("A256GCM");

  private final String value;

  ContentEncryption(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
