// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.List;

/**
 * Whether the client noticed a misbehaviour.
 *
 * @param outcome pending: the run is not over. noticed: the client refused. unharmed: it showed no
 * check, and did no harm. fooled: it went on as if nothing were wrong. tolerated and broke: it went
 * on, or not, where a correct client goes on. crashed: its own code failed. not_applicable: it does
 * not do what the fault is about. not_reached: it never met the fault. unknown: nothing shows what
 * it did.
 * @param because One sentence that says why.
 * @param requests The requests that show it: the ones with wrong answers first.
 */
public record MisbehaviourVerdict(
    Outcome outcome,
    String because,
    List<RecordedRequest> requests) {}
