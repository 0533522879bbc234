// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * How a server must answer an ID-JAG with a fault. Absent: it must accept the ID-JAG.
 *
 * @param level How strongly the rule obliges the server.
 * @param spec The rule with its section.
 * @param why The fault in one sentence, for the message of a failing test.
 */
public record IdJagVerdict(
    Level level,
    int status,
    IdJagVerdictError error,
    String spec,
    String why) {}
