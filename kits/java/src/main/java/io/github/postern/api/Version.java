// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The version of the kit, which is that of the server. */
public final class Version {
  /** The version, such as 1.2.3. */
  public static final String VERSION = "0.1.0";

  private Version() {}
}
