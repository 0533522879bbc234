package io.github.postern;

import io.github.postern.api.ActiveMisbehaviour;
import io.github.postern.api.Calls;
import io.github.postern.api.CreateGateOptions;
import io.github.postern.api.CreateHookOptions;
import io.github.postern.api.CreateMisbehaviourOptions;
import io.github.postern.api.EndpointName;
import io.github.postern.api.GateKind;
import io.github.postern.api.Hook;
import io.github.postern.api.HookName;
import io.github.postern.api.ListRequestsOptions;
import io.github.postern.api.LoginResult;
import io.github.postern.api.LookAlike;
import io.github.postern.api.LookAlikeName;
import io.github.postern.api.MisbehaviourName;
import io.github.postern.api.MisbehaviourVerdict;
import io.github.postern.api.Outcome;
import io.github.postern.api.PosternClock;
import io.github.postern.api.RecordedRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What a test does with the server that all tests share, or with its own. */
public abstract class Control extends Calls {
  /** The outcomes after which a test goes on. */
  private static final Set<Outcome> FINE =
      Set.of(Outcome.NOTICED, Outcome.UNHARMED, Outcome.TOLERATED, Outcome.NOT_APPLICABLE);

  /** An exception may be a cause of its own cause. */
  private static final int MOST_CAUSES = 20;

  private final Connection connection;

  /** The kit has the only subclasses. */
  protected Control(Connection connection) {
    this.connection = connection;
  }

  /** Where the control plane is, and the key for it. */
  public final Connection connection() {
    return connection;
  }

  /** The URL that identifies the server to clients. Its metadata are below it. */
  public abstract String issuer();

  /** Postern's clock. */
  public final PosternClock clock() {
    return new PosternClock(this);
  }

  /** Returns the requests that Postern has received, the oldest first. */
  public final List<RecordedRequest> requests() {
    return listRequests().requests();
  }

  /** Returns the requests to one endpoint, the oldest first. */
  public final List<RecordedRequest> requests(EndpointName endpoint) {
    return requests(options -> options.endpoint(endpoint));
  }

  /** Returns the requests that the options choose, the oldest first. */
  public final List<RecordedRequest> requests(Consumer<ListRequestsOptions> options) {
    return listRequests(options).requests();
  }

  /** Returns all that has happened as text. */
  public final String timeline() {
    return showTimeline();
  }

  /**
   * Lets Postern be wrong while the block runs. Run your client there.
   *
   * <p>An exception of the block is how the client refuses, and the test goes on. An application that
   * shows an error instead throws one in the block. A failed assertion passes through, and so do an
   * interrupt and an exception of this kit: these are none of the client.
   *
   * @param name Such as {@code ID_TOKEN_AUD_WRONG}: docs/reference/misbehaviours.md explains each.
   * @param block What the client does.
   * @throws MisbehaviourError if the client was fooled, or if the test does not show what it did.
   */
  public final MisbehaviourVerdict misbehave(MisbehaviourName name, Block block) {
    return misbehave(name, options -> {}, block);
  }

  /** Does the same, and says more about the misbehaviour: which client it meets, for example. */
  public final MisbehaviourVerdict misbehave(
      MisbehaviourName name, Consumer<CreateMisbehaviourOptions> options, Block block) {
    ActiveMisbehaviour wrong = createMisbehaviour(name, options);
    try (var on = new Active<>(this, "/misbehaviours/" + wrong.id(), wrong)) {
      Exception refused = run(block);
      MisbehaviourVerdict verdict = settleMisbehaviour(wrong.id(), refused == null
          ? end -> end.result(LoginResult.SUCCESS)
          : end -> end.result(LoginResult.REFUSAL).error(describe(refused)));
      if (FINE.contains(verdict.outcome())) return verdict;
      throw new MisbehaviourError(name, verdict, refused);
    } catch (Exception other) {
      // The call that ends the misbehaviour is over, and would have failed with this flag.
      if (other instanceof InterruptedException) Thread.currentThread().interrupt();
      throw Control.<RuntimeException>unchecked(other);
    }
  }

  /** Returns the exception with which the client refuses, or null. */
  private static Exception run(Block block) throws Exception {
    try {
      block.run();
      return null;
    } catch (Exception error) {
      if (isOwn(error)) throw error;
      return error;
    }
  }

  /** Whether it is an interrupt, an exception of this kit, or one of the client around such a one. */
  private static boolean isOwn(Throwable error) {
    return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
        .limit(MOST_CAUSES)
        .anyMatch(each -> each instanceof PosternException || each instanceof InterruptedException);
  }

  /** The name of its class comes first, also without a message: it tells a refusal from a broken client. */
  private static String describe(Exception refused) {
    return refused.getClass().getName() + ": " + Objects.toString(refused.getMessage(), "");
  }

  /** An exception of the test passes through as it is. */
  @SuppressWarnings("unchecked")
  private static <E extends Exception> E unchecked(Exception error) throws E {
    throw (E) error;
  }

  /** Takes requests until it is closed: {@code try (var gate = postern.gate(TOKEN, DROP)) { … }}. */
  public final ActiveGate gate(EndpointName endpoint, GateKind kind) {
    return gate(endpoint, kind, options -> {});
  }

  /** Does the same, and says how many it takes, for example. {@code DELAY} needs {@code by}. */
  public final ActiveGate gate(EndpointName endpoint, GateKind kind, Consumer<CreateGateOptions> options) {
    return new ActiveGate(this, createGate(endpoint, kind, options));
  }

  /** Changes what Postern sends until it is closed, by a merge patch, where null removes a member. */
  public final Active<Hook> hook(HookName name, Map<String, ?> patch) {
    return hook(name, patch, options -> {});
  }

  /** Does the same, and says for which person or client, for example. */
  public final Active<Hook> hook(HookName name, Map<String, ?> patch, Consumer<CreateHookOptions> options) {
    Hook hook = createHook(name, patch, options);
    return new Active<>(this, "/hooks/" + hook.id(), hook);
  }

  /** Lets Postern answer as a provider does until it is closed. */
  public final Active<LookAlike> lookLike(LookAlikeName provider) {
    LookAlike like = createLookAlike(provider);
    return new Active<>(this, "/look_alikes/" + like.id(), like);
  }

  /**
   * Sends any call of the control plane, also one that this class has no method for.
   *
   * @param method GET, POST, PATCH or DELETE.
   * @param path The path below that of the server: {@code /clock}.
   * @param query The parameters of the query.
   * @param body The members of the body, or null for none.
   * @return A Map, a List, a String, a Long, a Double, a Boolean or null.
   */
  public final Object send(String method, String path, Map<String, ?> query, Map<String, ?> body) {
    String text = connection.send(method, path, query, body);
    return text.isEmpty() ? null : Json.read(text);
  }

  @Override
  @SuppressWarnings("unchecked")
  protected final <T> T call(
      String method, String path, Map<String, ?> query, Map<String, ?> body, String member, Class<?>... type) {
    if (type.length == 0) return (T) connection.send(method, path, query, body);
    Object answer = send(method, path, query, body);
    Object value = member != null && answer instanceof Map<?, ?> members ? members.get(member) : answer;
    return (T) Values.decode(value, member == null ? "answer" : "answer." + member, type);
  }
}
