// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A request and its response without secrets, with the facts that the server recorded.
 *
 * @param id The id of the request, which is that of its journal entry.
 * @param at The time of arrival by the server's clock. A gate or a delay comes later.
 * @param endpoint The endpoint. page: the pages, their files, preflights, and paths that the server
 * does not know.
 * @param path The path without the query.
 * @param api The URL without the query, for a request to an API of the test. May be null.
 * @param rpc The JSON-RPC calls in a request to an API of the test: tools/call greet. May be null.
 * @param status The status of the response. Absent if guard of an API accepted the request, because
 * the test answers it. May be null.
 * @param outcome What became of the request. failed is a failure of the server itself.
 * @param duration Seconds until the response, by the server's clock.
 * @param clientId The client id. May be null.
 * @param clientAuth How the client authenticated, for example client_secret_basic or none. May be
 * null.
 * @param person The username of the person that the request is about. May be null.
 * @param grantType The grant_type of a token request. May be null.
 * @param pkce The code_challenge_method of an authorization request. May be null.
 * @param arrivedBy How an authorization request arrived, for example pushed request. Absent: as
 * parameters in the address. May be null.
 * @param provenKey The key that the client proved, for example jkt and its thumbprint with DPoP.
 * May be null.
 * @param scope The requested or granted scope. May be null.
 * @param resource The APIs that the request names in resource. May be null.
 * @param refusal Why the server refused the request. May be null.
 * @param advice A rule that the request broke and that the server does not enforce, or why a token
 * is inactive. May be null.
 * @param backChannelLogout The clients that the server notified of a sign-out by back-channel
 * logout, each with the result: "told", "answered 400", "did not answer" or "not allowed". May be
 * null.
 * @param fault The name of an unexpected error inside the server or a hook. May be null.
 * @param altered The hooks that changed values of the server, with the seams at which they did. May
 * be null.
 * @param lost true if the server handled the request, but a drop removed the response.
 * @param flow The id of the flow. All requests of a flow have it, from the authorization to the
 * last refresh. May be null.
 * @param trace The trace that the client names in its header traceparent (W3C Trace Context). May
 * be null.
 * @param params The parameters of the query and the form. Harmless values are readable, all others
 * are "[redacted]".
 * @param answer The JSON object in the response. Values that may be secret are "[redacted]". May be
 * null.
 * @param location The URL to which the response redirects, without secrets. May be null.
 * @param raw The request and the response with their secrets. Only if raw is true. May be null.
 */
public record RecordedRequest(
    String id,
    Instant at,
    EndpointName endpoint,
    String method,
    String path,
    String api,
    List<String> rpc,
    Integer status,
    RecordedRequestOutcome outcome,
    Duration duration,
    String clientId,
    String clientAuth,
    String person,
    String grantType,
    RecordedRequestPkce pkce,
    List<String> arrivedBy,
    String provenKey,
    List<String> scope,
    List<String> resource,
    Refusal refusal,
    Advice advice,
    Map<String, String> backChannelLogout,
    String fault,
    List<Alteration> altered,
    boolean lost,
    String flow,
    Trace trace,
    Map<String, List<String>> params,
    Map<String, Object> answer,
    String location,
    JournalEntry raw) {}
