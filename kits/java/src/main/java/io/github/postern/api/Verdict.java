// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * The response that a resource server must give to a faulty token.
 *
 * @param level How strongly the rule obliges the API. tolerate, robustness: the token is only
 * unusual, so a correct API accepts it.
 * @param status 401, 403 if only the scope is wrong, or 200 if the API has to accept the token.
 * @param error The error code in the challenge. Absent if the API has to accept the token. May be
 * null.
 * @param mayRefuse True if a correct API may also refuse a token that is only unusual.
 * @param spec The rule with its section.
 * @param why The fault in one sentence, for the message of a failing test.
 * @param seenBy The check that detects the fault. verification checks the issuer, the audience, the
 * signature and the times. scope checks the scope, and authentication when and how the person
 * signed in. server means that the API must ask the server by introspection. Absent if the API has
 * to accept the token. May be null.
 */
public record Verdict(
    Level level,
    int status,
    VerdictError error,
    boolean mayRefuse,
    String spec,
    String why,
    VerdictSeenBy seenBy) {}
