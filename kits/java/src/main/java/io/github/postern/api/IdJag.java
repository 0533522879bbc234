// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * An ID-JAG, and how a server must answer it.
 *
 * @param token The ID-JAG, to send as assertion.
 * @param verdict How a server must answer an ID-JAG with a fault. Absent: it must accept the
 * ID-JAG. May be null.
 */
public record IdJag(
    String token,
    IdJagVerdict verdict) {}
