// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Instant;

/**
 * A snapshot in an answer.
 *
 * @param id The name of the snapshot in the paths of other calls, for example snapshot-1.
 * @param at The time of the server's clock.
 */
public record Snapshot(
    String id,
    Instant at) {}
