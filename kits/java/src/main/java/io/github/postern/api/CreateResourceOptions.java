// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#createResource}. */
public final class CreateResourceOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private CreateResourceOptions() {}

  /** The scopes that every request needs. */
  public CreateResourceOptions scope(String... scope) {
    return put("scope", scope.length == 1 ? scope[0] : List.of(scope));
  }

  /** What certain requests need in addition. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  public final CreateResourceOptions rules(Consumer<ResourceRuleOptions>... rules) {
    return put("rules", Arrays.stream(rules).map(ResourceRuleOptions::of).toList());
  }

  /** The values of the claim acr, of which every token must have one (RFC 9470). */
  public CreateResourceOptions acr(String... acr) {
    return put("acr", acr.length == 1 ? acr[0] : List.of(acr));
  }

  /** How long ago the person may have signed in (RFC 9470). */
  public CreateResourceOptions maxAge(Duration maxAge) {
    return put("maxAge", maxAge);
  }

  /** How the API uses DPoP. Default: it accepts bearer tokens and bound tokens, without nonces. */
  public CreateResourceOptions dpop(Consumer<ResourceDpopOptions> dpop) {
    return put("dpop", ResourceDpopOptions.of(dpop));
  }

  /** scopes_supported of the metadata. Default: the metadata names no scopes. */
  public CreateResourceOptions scopes(String... scopes) {
    return put("scopes", List.of(scopes));
  }

  /**
   * Where the metadata (RFC 9728) is. path: at the well-known path, followed by the path of the
   * API. root: at the well-known path alone. Text that is a URL or a path: there, at the origin of
   * the API. false: nowhere. Default: path.
   */
  public CreateResourceOptions metadata(String metadata) {
    return put("metadata", metadata);
  }

  /**
   * Where the metadata (RFC 9728) is. path: at the well-known path, followed by the path of the
   * API. root: at the well-known path alone. Text that is a URL or a path: there, at the origin of
   * the API. false: nowhere. Default: path.
   */
  public CreateResourceOptions withoutMetadata() {
    return put("metadata", false);
  }

  /**
   * Members that the metadata has in addition, or with another value. A member with the value null
   * is left out.
   */
  public CreateResourceOptions document(Map<String, ?> document) {
    return put("document", document);
  }

  /** How refusals challenge the client. false: without the header WWW-Authenticate. */
  public CreateResourceOptions withoutChallenge() {
    return put("challenge", false);
  }

  /** How refusals challenge the client. false: without the header WWW-Authenticate. */
  public CreateResourceOptions challenge(Consumer<ResourceChallengeOptions> challenge) {
    return put("challenge", ResourceChallengeOptions.of(challenge));
  }

  /**
   * The authorization servers whose tokens the API accepts: this server, its tenants, or an issuer
   * that only the metadata names. Default: this server.
   */
  public CreateResourceOptions authorizationServers(String... authorizationServers) {
    return put("authorizationServers", List.of(authorizationServers));
  }

  /** The answer to a request that the API accepts. Default: the claims of the token, as JSON. */
  public CreateResourceOptions answer(Consumer<ResourceAnswerOptions> answer) {
    return put("answer", ResourceAnswerOptions.of(answer));
  }

  static Map<String, Object> of(Consumer<CreateResourceOptions> options) {
    CreateResourceOptions chosen = new CreateResourceOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private CreateResourceOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
