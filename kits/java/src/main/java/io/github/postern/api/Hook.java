// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.Map;

/**
 * A hook in an answer.
 *
 * @param id The name of the hook in the path of DELETE, for example hook-1.
 * @param name The value to change.
 * @param patch The members to change.
 * @param once The hook runs only for the first value that matches the endpoint, the client and the
 * person.
 * @param client The id of the client that the hook runs for. Default: any client. May be null.
 * @param username The username of the person that the hook runs for. Default: any person, or none.
 * May be null.
 * @param endpoint Runs the hook only for requests to this endpoint. Only for the hooks jwt, signed
 * and response. May be null.
 * @param used How many values the hook has changed.
 */
public record Hook(
    String id,
    HookName name,
    Map<String, Object> patch,
    boolean once,
    String client,
    String username,
    EndpointName endpoint,
    int used) {}
