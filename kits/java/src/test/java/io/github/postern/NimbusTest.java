package io.github.postern;

import static io.github.postern.api.EndpointName.JWKS;
import static io.github.postern.api.EndpointName.TOKEN;
import static io.github.postern.api.GateKind.DROP;
import static io.github.postern.api.GateKind.FAIL;
import static io.github.postern.api.GateKind.HOLD;
import static io.github.postern.api.MisbehaviourName.ID_TOKEN_AUD_WRONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.openid.connect.sdk.token.OIDCTokens;
import io.github.postern.api.HookName;
import io.github.postern.api.LookAlikeName;
import io.github.postern.api.Outcome;
import io.github.postern.api.Person;
import io.github.postern.api.RecordedRequest;
import io.github.postern.api.SecondFactorKind;
import io.github.postern.api.Tokens;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A client of Nimbus signs people in, refreshes, and meets a server that is wrong. */
@PosternTest
class NimbusTest {
  private static final HttpClient BROWSER = HttpClient.newHttpClient();

  private static HttpResponse<String> get(String url) throws Exception {
    return BROWSER.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static Map<?, ?> post(String url, String form) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(form))
        .build();
    return (Map<?, ?>) Json.read(BROWSER.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }

  @Test
  void aPersonSignsIn(Postern postern) throws Exception {
    OIDCTokens tokens = Shop.signIn(postern);
    assertEquals("bob", tokens.getIDToken().getJWTClaimsSet().getSubject());
    List<RecordedRequest> requests = postern.requests(TOKEN);
    assertEquals(List.of("authorization_code"), requests.stream().map(RecordedRequest::grantType).toList());
    assertEquals(List.of("openid", "orders"), requests.get(0).scope());
    assertEquals(List.of("[authorization_code]"), List.of(requests.get(0).params().get("grant_type").toString()));
    assertTrue(Duration.between(requests.get(0).at(), Instant.now()).abs().toHours() < 1);
  }

  @Test
  void anUnknownPersonIsRefusedWithTheKnownOnes(Postern postern) {
    RefusedException refused = assertThrows(RefusedException.class, () -> postern.login("carol"));
    assertTrue(refused.getMessage().startsWith("There is no person \"carol\": known are alice, bob"));
    assertFalse(refused.getMessage().contains("expected"), refused.getMessage());
    assertEquals("invalid_request", refused.error());
    assertEquals("username", refused.place());
    assertEquals("must be one of alice, bob", refused.expected());
    assertNull(refused.reason());
    Person carol = postern.addPerson("carol", person -> person.claims(Map.of("name", "Carol Clark")));
    assertEquals(Map.of("name", "Carol Clark"), carol.claims());
    Tokens tokens = postern.login("carol", login -> login.scope("openid profile"));
    assertEquals("carol", tokens.claims().get("sub"));
    postern.removePerson("carol");
    assertEquals(2, postern.listPeople().size());
  }

  @Test
  void aRefusalOfTheServerHasItsReason(Postern postern) {
    RefusedException refused = assertThrows(
        RefusedException.class,
        () -> postern.login(login -> login.params(Map.of("code_challenge_method", "plain"))));
    assertEquals(422, refused.status());
    assertEquals("challenge_method_unsupported", refused.reason());
    assertEquals("invalid_request", refused.refusal().error());
  }

  @Test
  void aRefusalSaysWhatWasExpectedOnce(Postern postern) {
    RefusedException refused =
        assertThrows(RefusedException.class, () -> postern.clock().advance(Duration.ofSeconds(-1)));
    assertEquals(2, refused.getMessage().split(refused.expected()).length, refused.getMessage());
    RefusedException extra = assertThrows(
        RefusedException.class, () -> postern.send("POST", "/clock", Map.of(), Map.of()));
    assertEquals(
        "A call makes exactly one change to the clock (expected: exactly one of advance, set, freeze, resume, skew)",
        extra.getMessage());
  }

  @Test
  void aRefusalKeepsItsFieldsWhenItIsSerialized(Postern postern) throws Exception {
    RefusedException refused = assertThrows(RefusedException.class, () -> postern.login("carol"));
    var written = new java.io.ByteArrayOutputStream();
    new java.io.ObjectOutputStream(written).writeObject(refused);
    var read = (RefusedException)
        new java.io.ObjectInputStream(new java.io.ByteArrayInputStream(written.toByteArray())).readObject();
    assertEquals("username", read.place());
    assertEquals(refused.expected(), read.expected());
    assertEquals(400, read.status());
    assertNull(read.reason());
  }

  @Test
  void aClosedServerIsClosedOnce(Postern own) {
    Postern postern = own.server().tenant("closed");
    try (var gate = postern.gate(TOKEN, DROP)) {
      postern.close();
      postern.close();
      IllegalStateException closed = assertThrows(IllegalStateException.class, () -> postern.login("bob"));
      assertEquals("This Postern is closed: each test has one of its own", closed.getMessage());
    }
    assertFalse(own.server().listTenants().contains(postern.name()));
  }

  @Test
  void aClientRefreshesWhenItsTokenHasExpired(Postern postern) throws Exception {
    Shop shop = new Shop(postern, false);
    OIDCTokens before = shop.signIn("bob");
    Instant then = postern.clock().now();
    Instant now = postern.clock().advance(Duration.ofHours(2));
    assertEquals(120, Duration.between(then, now).toMinutes());
    OIDCTokens after = shop.refresh(before.getRefreshToken());
    assertNotEquals(before.getAccessToken(), after.getAccessToken());
    assertEquals("refresh_token", postern.requests(TOKEN).get(1).grantType());
  }

  @Test
  void theAnswerToARefreshIsLost(Postern postern) throws Exception {
    Shop shop = new Shop(postern, false);
    OIDCTokens tokens = shop.signIn("bob");
    try (var gate = postern.gate(TOKEN, DROP, options -> options.count(1))) {
      assertThrows(IOException.class, () -> shop.refresh(tokens.getRefreshToken()));
    }
    RecordedRequest last = postern.requests(TOKEN).get(1);
    assertEquals("refresh_token", last.grantType());
    assertTrue(last.lost());
    assertFalse(postern.requests(TOKEN).get(0).lost());
    assertEquals(List.of(), postern.listGates());
  }

  @Test
  void aHeldRequestWaitsForTheTest(Postern postern) throws Exception {
    CompletableFuture<Integer> answer;
    try (ActiveGate gate = postern.gate(JWKS, HOLD)) {
      answer = BROWSER.sendAsync(
              HttpRequest.newBuilder(URI.create(postern.issuer() + "/oauth2/jwks")).build(),
              HttpResponse.BodyHandlers.discarding())
          .thenApply(HttpResponse::statusCode);
      assertEquals(1, gate.await().waiting());
      assertFalse(answer.isDone());
      gate.release(1);
      assertEquals(200, answer.join());
      PosternException late =
          assertThrows(PosternException.class, () -> gate.await(2, Duration.ZERO));
      assertEquals("0 of 2 requests came to the endpoint jwks within 0 s", late.getMessage());
      gate.release();
    }
    try (var gate = postern.gate(JWKS, FAIL, options -> options.status(503))) {
      assertEquals(503, get(postern.issuer() + "/oauth2/jwks").statusCode());
      postern.reset();
    }
  }

  @Test
  void aDeviceSignsIn(Postern postern) throws Exception {
    Map<?, ?> asked =
        post(postern.issuer() + "/oauth2/device_authorization", "client_id=tv&scope=openid");
    postern.approveDevice((String) asked.get("user_code"), "bob");
    Map<?, ?> tokens = post(
        postern.issuer() + "/oauth2/token",
        "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=tv&device_code="
            + asked.get("device_code"));
    assertEquals("Bearer", tokens.get("token_type"));
  }

  @Test
  void nimbusNoticesAnotherAudience(Postern postern) throws Exception {
    var verdict = postern.misbehave(
        ID_TOKEN_AUD_WRONG,
        options -> options.client("shop"),
        () -> Shop.signIn(postern));
    assertEquals(Outcome.NOTICED, verdict.outcome());
    // Postern is right after the block.
    assertEquals("bob", Shop.signIn(postern).getIDToken().getJWTClaimsSet().getSubject());
  }

  @Test
  void aClientThatChecksNothingFailsItsTest(Postern postern) throws Exception {
    Shop naive = new Shop(postern, true);
    MisbehaviourError fooled = assertThrows(
        MisbehaviourError.class,
        () -> postern.misbehave(ID_TOKEN_AUD_WRONG, () -> naive.signIn("bob")));
    assertTrue(fooled.getMessage().startsWith("id_token.aud_wrong: fooled: "), fooled.getMessage());
    assertTrue(fooled.getMessage().contains("/oauth2/token: 200"), fooled.getMessage());
    assertEquals(TOKEN, fooled.verdict().requests().get(0).endpoint());
    assertEquals(List.of(), postern.listMisbehaviours());
  }

  @Test
  void whatIsNoRefusalPassesThrough(Postern postern) {
    AssertionError own = new AssertionError("of the test");
    assertSame(own, assertThrows(AssertionError.class, () -> postern.misbehave(ID_TOKEN_AUD_WRONG, () -> {
      throw own;
    })));
    assertEquals(List.of(), postern.listMisbehaviours());
    MisbehaviourError unmet = assertThrows(
        MisbehaviourError.class, () -> postern.misbehave(ID_TOKEN_AUD_WRONG, () -> {}));
    assertEquals(Outcome.NOT_REACHED, unmet.verdict().outcome());
  }

  @Test
  void anExceptionOfTheKitIsNoRefusalOfTheClient(Postern postern) {
    PosternException own = assertThrows(RefusedException.class, () -> postern.login("carol"));
    Exception around = new IllegalStateException("the shop cannot sign in", new IOException(own));
    for (Exception each : List.of(own, around)) {
      Exception thrown = assertThrows(Exception.class, () -> postern.misbehave(ID_TOKEN_AUD_WRONG, () -> {
        // The client has met the fault, so that any other exception is its refusal.
        postern.login("bob");
        throw each;
      }));
      assertSame(each, thrown);
    }
    assertEquals(List.of(), postern.listMisbehaviours());
  }

  @Test
  void anInterruptIsNoRefusalOfTheClient(Postern postern) {
    InterruptedException stopped = new InterruptedException();
    for (Exception each : List.of(stopped, new IllegalStateException("of the shop", stopped))) {
      Exception thrown = assertThrows(Exception.class, () -> postern.misbehave(ID_TOKEN_AUD_WRONG, () -> {
        postern.login("bob");
        throw each;
      }));
      assertSame(each, thrown);
      assertEquals(each == stopped, Thread.interrupted());
      assertEquals(List.of(), postern.listMisbehaviours());
    }
  }

  @Test
  void anExceptionOfJavaItselfSaysThatTheClientIsBroken(Postern postern) {
    Map<String, String> claims = Map.of();
    for (Executable broken : List.<Executable>of(
        () -> claims.get("nonce").length(),
        () -> java.util.Objects.requireNonNull(claims.get("nonce")),
        () -> claims.values().iterator().next(),
        () -> java.util.Optional.empty().orElseThrow(),
        () -> List.of(1).get(1),
        () -> "a.b".split("\\.")[2].length(),
        () -> new java.util.ArrayList<>(List.of(1)).get(1),
        () -> "abc".substring(4),
        () -> ((Integer) (Object) "a").intValue())) {
      MisbehaviourError failed = assertThrows(
          MisbehaviourError.class, () -> postern.misbehave(ID_TOKEN_AUD_WRONG, () -> {
            postern.login("bob");
            broken.execute();
          }));
      assertEquals(Outcome.CRASHED, failed.verdict().outcome(), failed.getMessage());
    }
  }

  @Test
  void anExceptionWithoutAMessageIsARefusal(Postern postern) {
    var verdict = postern.misbehave(ID_TOKEN_AUD_WRONG, () -> {
      postern.login("bob");
      throw new SecurityException();
    });
    assertEquals(Outcome.NOTICED, verdict.outcome());
    assertTrue(verdict.because().endsWith("java.lang.SecurityException"), verdict.because());
  }

  @Test
  void aMisspeltVariantIsRefusedWithTheRightNames(Postern postern) {
    RefusedException refused = assertThrows(
        RefusedException.class,
        () -> postern.misbehave(ID_TOKEN_AUD_WRONG, options -> options.variant("sufix"), () -> {}));
    assertTrue(refused.getMessage().contains("expected one of another, suffix"), refused.getMessage());
    assertFalse(refused.getMessage().contains("(expected"), refused.getMessage());
  }

  @Test
  void aHookChangesTheClaimsOfAnIdToken(Postern postern) {
    Map<String, Object> patch = new java.util.LinkedHashMap<>(Map.of("role", "admin"));
    patch.put("sid", null);
    try (var hook = postern.hook(HookName.ID_TOKEN, patch, options -> options.username("bob"))) {
      Map<String, Object> claims = postern.login("bob", login -> login.scope("openid")).claims();
      assertEquals("admin", claims.get("role"));
      assertThrows(UnsupportedOperationException.class, claims::clear);
      assertFalse(claims.containsKey("sid"));
      assertEquals(patch, hook.value().patch());
      assertEquals(1, postern.listHooks().get(0).used());
    }
    assertEquals(Collections.emptyList(), postern.listHooks());
  }

  @Test
  void aHookAddsAMemberToATokenResponse(Postern postern) {
    try (var hook = postern.hook(HookName.TOKEN_RESPONSE, Map.of("members", Map.of("tenant", "a")))) {
      assertEquals("a", postern.login("bob").more().get("tenant"));
    }
    assertEquals(Map.of(), postern.login("bob").more());
  }

  @Test
  void aSecondFactorIsARecord(Postern postern) {
    Person carol = postern.addPerson("carol", person -> person.secondFactor(SecondFactorKind.TOTP));
    assertEquals(SecondFactorKind.TOTP, carol.secondFactor().kind());
    assertFalse(carol.disabled());
    Person dora = postern.addPerson("dora", person -> person.secondFactor(own -> own.kind(SecondFactorKind.CODE).always(true)));
    assertEquals(true, dora.secondFactor().always());
  }

  @Test
  void posternLooksLikeAProviderUntilItIsClosed(Postern postern) {
    try (var like = postern.lookLike(LookAlikeName.GITHUB)) {
      assertEquals(like.value().id(), postern.listLookAlikes().get(0).id());
    }
    assertEquals(List.of(), postern.listLookAlikes());
  }

  @Test
  void tokensOfAnotherClientAreTaken(Postern postern) throws Exception {
    OIDCTokens tokens = Shop.signIn(postern);
    TokenSet received = TokenSet.of(tokens.toJSONObject());
    assertEquals(tokens.getRefreshToken().getValue(), received.refreshToken());
    Tokens refreshed = postern.refresh(received, options -> options.scope("orders"));
    assertEquals("orders", refreshed.scope());
    assertNotEquals(refreshed.accessToken(), postern.expire(refreshed).accessToken());
    assertTrue(postern.expire(tokens.getAccessToken().getValue()).token().startsWith("ey"));
    postern.revoke(refreshed);
    assertThrows(RefusedException.class, () -> postern.refresh(refreshed));
  }

  @Test
  void theClockStopsAndGoesOn(Postern postern) {
    Instant at = Instant.parse("2030-01-02T03:04:05.5Z");
    assertEquals(at, postern.clock().freeze(at));
    assertEquals(at, postern.clock().now());
    assertEquals(at.plusSeconds(90), postern.clock().advance(Duration.ofSeconds(90)));
    assertEquals(at, postern.clock().set(at));
    postern.clock().skew(Duration.ofSeconds(-90));
    assertEquals(Duration.ofSeconds(-90), postern.showClock().skew());
    assertTrue(postern.showClock().frozen());
    postern.clock().resume();
    assertFalse(postern.showClock().frozen());
    postern.clock().freeze();
    assertTrue(postern.showClock().frozen());
  }

  @Test
  void aResourceHasItsRulesAndLosesThem(Postern postern) {
    var api = postern.createResource("https://orders.example", resource -> resource
        .scope("orders")
        .maxAge(Duration.ofMinutes(5))
        .withoutChallenge()
        .rules(rule -> rule.path("/admin").scope("orders", "admin"), rule -> rule.method("DELETE").refuse(true)));
    assertEquals(List.of("orders"), api.scope());
    assertEquals(Duration.ofMinutes(5), api.maxAge());
    assertEquals(List.of("orders", "admin"), api.rules().get(0).scope());
    assertEquals(true, api.rules().get(1).refuse());
    var changed = postern.changeResource(api.id(), resource -> resource.removeRules().removeMaxAge());
    assertNull(changed.rules());
    assertNull(changed.maxAge());
    assertEquals(List.of("orders"), changed.scope());
  }

  @Test
  void namesInPathsAreEncoded(Postern postern) {
    String name = "a/b ?ü";
    postern.addPerson(name, person -> person.sub("a"));
    postern.changePerson(name, person -> person.claims(Map.of("role", "admin")));
    postern.removePerson(name);
    assertEquals(2, postern.listPeople().size());
  }

  @Test
  void theTextsOfTheServer(Postern postern) {
    assertNull(postern.explain());
    postern.login("bob");
    assertTrue(postern.timeline().contains("/oauth2/token"));
    assertTrue(postern.report().contains("/oauth2/token"));
    assertEquals(postern.issuer(), postern.describeEnvironment().get("OAUTH_ISSUER"));
    assertThrows(RefusedException.class, () -> postern.send("GET", "/nothing", Map.of(), null));
    assertThrows(IllegalArgumentException.class, () -> postern.send("GET", "clock", Map.of(), null));
  }
}
