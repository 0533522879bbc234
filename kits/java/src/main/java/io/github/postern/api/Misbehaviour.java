// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.List;
import java.util.Map;

/**
 * A misbehaviour in an answer.
 *
 * @param name Its name: id_token.alg_none.
 * @param area Where the server is wrong.
 * @param needs Which clients can meet it, if not all can. May be null.
 * @param variants The variants, if it has several. May be null.
 * @param level What a standard says about it. must and should: the client has to notice. tolerate:
 * the server is only unusual, and the client has to go on. robustness: a correct client goes on,
 * but no rule says so. hardening: it is wise to notice, but no rule says so.
 * @param phase The part of the client's work that meets it.
 * @param server One sentence: what the server does. "The ID token has the alg none and no
 * signature."
 * @param client One sentence: what a correct client does. "Refuses the ID token."
 * @param rule The rule with its section: "OpenID Connect Core §3.1.3.7 (7)".
 * @param bugs Public reports of bugs that this misbehaviour would have shown: "LibreChat#12266".
 * May be null.
 * @param api How an API must answer, if the fault is in an access token. May be null.
 */
public record Misbehaviour(
    String name,
    MisbehaviourArea area,
    String needs,
    List<String> variants,
    Level level,
    MisbehaviourPhase phase,
    String server,
    String client,
    String rule,
    List<String> bugs,
    Map<String, Object> api) {}
