// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * web: the redirect URIs are https, or http on loopback. native: they are http on loopback, or have
 * the scheme of an app (com.example.app:/callback), and beside those they may be https. Left out: a
 * configured client may mix them.
 */
public enum ClientApplicationType {
  /** {@code web} */
  WEB("web"),
  /** {@code native} */
  NATIVE("native");

  private final String value;

  ClientApplicationType(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
