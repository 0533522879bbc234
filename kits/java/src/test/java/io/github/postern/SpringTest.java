package io.github.postern;

import static io.github.postern.api.MisbehaviourName.ID_TOKEN_AUD_WRONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.postern.api.ForgeryName;
import io.github.postern.api.Outcome;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application of Spring Boot signs people in, and its API verifies tokens. */
@PosternTest(shared = true)
@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {
      "spring.main.banner-mode=off",
      "logging.level.root=error",
      "spring.security.oauth2.resourceserver.jwt.audiences=https://orders.example",
      "spring.security.oauth2.client.registration.postern.client-id=shop",
      "spring.security.oauth2.client.registration.postern.client-authentication-method=none",
      "spring.security.oauth2.client.registration.postern.authorization-grant-type=authorization_code",
      "spring.security.oauth2.client.registration.postern.redirect-uri={baseUrl}/login/oauth2/code/{registrationId}",
      "spring.security.oauth2.client.registration.postern.scope=openid,orders",
    })
class SpringTest {
  @DynamicPropertySource
  static void findIssuer(DynamicPropertyRegistry registry) {
    registry.add("spring.security.oauth2.resourceserver.jwt.issuer-uri", Postern.shared()::issuer);
    registry.add("spring.security.oauth2.client.provider.postern.issuer-uri", Postern.shared()::issuer);
  }

  @SpringBootConfiguration
  @EnableAutoConfiguration
  @RestController
  static class Application {
    /** The type of access tokens (RFC 9068). */
    @Bean
    JwtTypeValidator accessTokenType() {
      return new JwtTypeValidator("at+jwt");
    }

    @Bean
    @Order(1)
    SecurityFilterChain protectApi(HttpSecurity http) throws Exception {
      return http.securityMatcher("/api/**")
          .authorizeHttpRequests(each -> each.anyRequest().hasAuthority("SCOPE_orders"))
          .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
          .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain protectPages(HttpSecurity http) throws Exception {
      return http.authorizeHttpRequests(each -> each.anyRequest().authenticated())
          .oauth2Login(Customizer.withDefaults())
          .build();
    }

    @GetMapping("/api/orders")
    String orders(@AuthenticationPrincipal Jwt token) {
      return "orders of " + token.getSubject();
    }

    @GetMapping("/")
    String hello(@AuthenticationPrincipal OidcUser person) {
      return "Hello " + person.getSubject();
    }
  }

  @LocalServerPort private int port;

  private HttpResponse<String> callApi(String token) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/orders"))
        .header("Authorization", "Bearer " + token)
        .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  private HttpResponse<String> signIn(Postern postern) throws Exception {
    postern.nextSignIn("bob");
    HttpClient browser = HttpClient.newBuilder()
        .cookieHandler(new CookieManager())
        .followRedirects(HttpClient.Redirect.NORMAL)
        .build();
    URI start = URI.create("http://localhost:" + port + "/oauth2/authorization/postern");
    return browser.send(HttpRequest.newBuilder(start).build(), BodyHandlers.ofString());
  }

  @Test
  void bobSignsIn(Postern postern) throws Exception {
    assertEquals("Hello bob", signIn(postern).body());
  }

  @Test
  void springNoticesAnotherAudience(Postern postern) throws Exception {
    var verdict = postern.misbehave(ID_TOKEN_AUD_WRONG, () -> {
      HttpResponse<String> answer = signIn(postern);
      if (answer.uri().getQuery().equals("error")) throw new IllegalStateException("the login failed");
    });
    assertEquals(Outcome.NOTICED, verdict.outcome());
  }

  @Test
  void theApiKnowsThePersonUntilTheTokenExpires(Postern postern) throws Exception {
    String token = postern.mint("bob", mint -> mint
        .scope("orders").resource("https://orders.example").expiresIn(Duration.ofMinutes(5)));
    assertEquals("orders of bob", callApi(token).body());
    assertEquals(401, callApi(postern.expire(token).token()).statusCode());
    String other = postern.mint("bob", mint -> mint.scope("other").resource("https://orders.example"));
    assertEquals(403, callApi(other).statusCode());
    // Spring has the clock of the machine. A token of yesterday has expired there.
    postern.clock().set(Instant.now().minus(Duration.ofDays(1)));
    assertEquals(401, callApi(postern.mint("bob", mint -> mint
        .scope("orders").resource("https://orders.example"))).statusCode());
  }

  @ParameterizedTest
  @EnumSource(
      value = ForgeryName.class,
      names = {"ACCESS_TOKEN_EXPIRED", "ACCESS_TOKEN_ALG_NONE", "ACCESS_TOKEN_AUDIENCE_WRONG"})
  void theApiRefusesAFaultyToken(ForgeryName name, Postern postern) throws Exception {
    var forged = postern.forge(name, forge -> forge.scope("orders").resource("https://orders.example"));
    HttpResponse<String> answer = callApi(forged.token());
    assertEquals(forged.verdict().status(), answer.statusCode());
    assertTrue(answer.headers().firstValue("WWW-Authenticate").orElseThrow().contains("invalid_token"));
  }
}
