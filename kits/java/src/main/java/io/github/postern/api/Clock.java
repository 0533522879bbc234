// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;
import java.time.Instant;

/**
 * A clock in an answer.
 *
 * @param now The right time. The calls advance, set and freeze change it.
 * @param date The same time as ISO text.
 * @param frozen Whether the clock is stopped.
 * @param skew How many seconds the server's clock is ahead. Negative if it is behind.
 * @param serverNow The time that Postern issues and checks tokens by. It is the sum of now and
 * skew.
 */
public record Clock(
    Instant now,
    String date,
    boolean frozen,
    Duration skew,
    Instant serverNow) {}
