package io.github.postern;

import io.github.postern.api.*;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;

/** What a test does with the server that all tests share, or with its own. */
public abstract class Control extends Calls {
  /** The outcomes after which a test goes on. */
  private static final Set<Outcome> FINE =
      Set.of(Outcome.NOTICED, Outcome.UNHARMED, Outcome.TOLERATED, Outcome.NOT_APPLICABLE);

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
  public final MisbehaviourVerdict misbehave(MisbehaviourName name, Executable block) {
    return misbehave(name, options -> {}, block);
  }

  /** Does the same, and says more about the misbehaviour: which client it meets, for example. */
  public final MisbehaviourVerdict misbehave(
      MisbehaviourName name, Consumer<CreateMisbehaviourOptions> options, Executable block) {
    ActiveMisbehaviour wrong = createMisbehaviour(name, options);
    try (var on = new Active<>(this, "/misbehaviours/" + wrong.id(), wrong)) {
      Exception refused = run(block);
      MisbehaviourVerdict verdict = settleMisbehaviour(wrong.id(), refused == null
          ? end -> end.result(LoginResult.SUCCESS)
          // The name of its class comes first, also without a message: it tells a refusal from a broken client.
          : end -> end.result(LoginResult.REFUSAL).error(
              refused.getClass().getName() + ": " + Objects.toString(refused.getMessage(), "")));
      if (FINE.contains(verdict.outcome())) return verdict;
      throw new MisbehaviourError(name, verdict, refused);
    } catch (Throwable other) {
      // The call that ends the misbehaviour is over, and would have failed with this flag.
      if (other instanceof InterruptedException) Thread.currentThread().interrupt();
      throw Control.<RuntimeException>unchecked(other);
    }
  }

  /** Returns the exception with which the client refuses, or null. */
  private static Exception run(Executable block) throws Throwable {
    try {
      block.execute();
      return null;
    } catch (Exception error) {
      // An interrupt, an exception of this kit, and one of the client around such a one are no refusals. An
      // exception may be a cause of its own cause.
      boolean isOwn = Stream.<Throwable>iterate(error, Objects::nonNull, Throwable::getCause)
          .limit(20)
          .anyMatch(each -> each instanceof PosternException || each instanceof InterruptedException);
      if (isOwn) throw error;
      return error;
    }
  }

  /** An exception of the test passes through as it is. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E unchecked(Throwable error) throws E {
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
