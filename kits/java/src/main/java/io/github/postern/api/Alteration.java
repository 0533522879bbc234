// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * A change that a hook, a misbehaviour or an option made at a seam.
 *
 * @param by The name of the hook, misbehaviour or option, or the place of the function if it gave
 * no name: seams.response.
 */
public record Alteration(
    String seam,
    String by) {}
