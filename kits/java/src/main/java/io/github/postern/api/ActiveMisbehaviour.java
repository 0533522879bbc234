// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * An active misbehaviour in an answer.
 *
 * @param id Its name in the paths of other calls, for example misbehaviour-1.
 * @param name The name in the catalogue.
 * @param client The id of the client to which the server misbehaves. Default: every client. May be
 * null.
 * @param username The username of the person about whom the server misbehaves. Default: everyone.
 * May be null.
 * @param times How many answers are wrong. Later answers are right. Default: all answers. May be
 * null.
 * @param probability The probability of a wrong answer, from 0 to 1, drawn with the mock's seed.
 * Default: 1. May be null.
 * @param variant The variant of the misbehaviour, if it has several. Default: the first. May be
 * null.
 * @param count How many answers were wrong.
 * @param verdict Whether the client noticed a misbehaviour.
 */
public record ActiveMisbehaviour(
    String id,
    MisbehaviourName name,
    String client,
    String username,
    Integer times,
    Double probability,
    String variant,
    int count,
    MisbehaviourVerdict verdict) {}
