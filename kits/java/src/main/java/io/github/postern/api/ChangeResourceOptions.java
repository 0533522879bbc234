// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#changeResource}. */
public final class ChangeResourceOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ChangeResourceOptions() {}

  /** The scopes that every request needs. null restores the default. */
  public ChangeResourceOptions scope(String... scope) {
    return put("scope", scope.length == 1 ? scope[0] : List.of(scope));
  }

  /** Removes {@link #scope scope}. */
  public ChangeResourceOptions removeScope() {
    return put("scope", null);
  }

  /** What certain requests need in addition. null restores the default. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  public final ChangeResourceOptions rules(Consumer<ResourceRuleOptions>... rules) {
    return put("rules", Arrays.stream(rules).map(ResourceRuleOptions::of).toList());
  }

  /** Removes {@link #rules rules}. */
  public ChangeResourceOptions removeRules() {
    return put("rules", null);
  }

  /**
   * The values of the claim acr, of which every token must have one (RFC 9470). null restores the
   * default.
   */
  public ChangeResourceOptions acr(String... acr) {
    return put("acr", acr.length == 1 ? acr[0] : List.of(acr));
  }

  /** Removes {@link #acr acr}. */
  public ChangeResourceOptions removeAcr() {
    return put("acr", null);
  }

  /** How long ago the person may have signed in (RFC 9470). null restores the default. */
  public ChangeResourceOptions maxAge(Duration maxAge) {
    return put("maxAge", maxAge);
  }

  /** Removes {@link #maxAge maxAge}. */
  public ChangeResourceOptions removeMaxAge() {
    return put("maxAge", null);
  }

  /**
   * How the API uses DPoP. Default: it accepts bearer tokens and bound tokens, without nonces. null
   * restores the default.
   */
  public ChangeResourceOptions dpop(Consumer<ResourceDpopOptions> dpop) {
    return put("dpop", ResourceDpopOptions.of(dpop));
  }

  /** Removes {@link #dpop dpop}. */
  public ChangeResourceOptions removeDpop() {
    return put("dpop", null);
  }

  /**
   * scopes_supported of the metadata. Default: the metadata names no scopes. null restores the
   * default.
   */
  public ChangeResourceOptions scopes(String... scopes) {
    return put("scopes", List.of(scopes));
  }

  /** Removes {@link #scopes scopes}. */
  public ChangeResourceOptions removeScopes() {
    return put("scopes", null);
  }

  /**
   * Where the metadata (RFC 9728) is. path: at the well-known path, followed by the path of the
   * API. root: at the well-known path alone. Text that is a URL or a path: there, at the origin of
   * the API. false: nowhere. Default: path. null restores the default.
   */
  public ChangeResourceOptions metadata(String metadata) {
    return put("metadata", metadata);
  }

  /**
   * Where the metadata (RFC 9728) is. path: at the well-known path, followed by the path of the
   * API. root: at the well-known path alone. Text that is a URL or a path: there, at the origin of
   * the API. false: nowhere. Default: path. null restores the default.
   */
  public ChangeResourceOptions withoutMetadata() {
    return put("metadata", false);
  }

  /** Removes {@link #metadata metadata}. */
  public ChangeResourceOptions removeMetadata() {
    return put("metadata", null);
  }

  /**
   * Members that the metadata has in addition, or with another value. A member with the value null
   * is left out. null restores the default.
   */
  public ChangeResourceOptions document(Map<String, ?> document) {
    return put("document", document);
  }

  /** Removes {@link #document document}. */
  public ChangeResourceOptions removeDocument() {
    return put("document", null);
  }

  /**
   * How refusals challenge the client. false: without the header WWW-Authenticate. null restores
   * the default.
   */
  public ChangeResourceOptions withoutChallenge() {
    return put("challenge", false);
  }

  /**
   * How refusals challenge the client. false: without the header WWW-Authenticate. null restores
   * the default.
   */
  public ChangeResourceOptions challenge(Consumer<ResourceChallengeOptions> challenge) {
    return put("challenge", ResourceChallengeOptions.of(challenge));
  }

  /** Removes {@link #challenge challenge}. */
  public ChangeResourceOptions removeChallenge() {
    return put("challenge", null);
  }

  /**
   * The authorization servers whose tokens the API accepts: this server, its tenants, or an issuer
   * that only the metadata names. Default: this server. null restores the default.
   */
  public ChangeResourceOptions authorizationServers(String... authorizationServers) {
    return put("authorizationServers", List.of(authorizationServers));
  }

  /** Removes {@link #authorizationServers authorizationServers}. */
  public ChangeResourceOptions removeAuthorizationServers() {
    return put("authorizationServers", null);
  }

  /**
   * The answer to a request that the API accepts. Default: the claims of the token, as JSON. null
   * restores the default.
   */
  public ChangeResourceOptions answer(Consumer<ResourceAnswerOptions> answer) {
    return put("answer", ResourceAnswerOptions.of(answer));
  }

  /** Removes {@link #answer answer}. */
  public ChangeResourceOptions removeAnswer() {
    return put("answer", null);
  }

  static Map<String, Object> of(Consumer<ChangeResourceOptions> options) {
    ChangeResourceOptions chosen = new ChangeResourceOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ChangeResourceOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
