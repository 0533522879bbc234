package io.github.postern;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.annotation.RegisteredOAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.oauth2.server.resource.web.access.BearerTokenAccessDeniedHandler;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** An API of Spring Boot asks for a stronger sign-in, and the application follows its challenge (RFC 9470). */
@PosternTest(shared = true)
@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {
      "spring.main.banner-mode=off",
      "logging.level.root=error",
      "spring.security.oauth2.client.registration.postern.client-id=shop",
      "spring.security.oauth2.client.registration.postern.client-authentication-method=none",
      "spring.security.oauth2.client.registration.postern.authorization-grant-type=authorization_code",
      "spring.security.oauth2.client.registration.postern.redirect-uri={baseUrl}/login/oauth2/code/{registrationId}",
      "spring.security.oauth2.client.registration.postern.scope=openid",
    })
class SpringStepUpTest {
  @DynamicPropertySource
  static void findIssuer(DynamicPropertyRegistry registry) {
    registry.add("spring.security.oauth2.resourceserver.jwt.issuer-uri", Postern.shared()::issuer);
    registry.add("spring.security.oauth2.resourceserver.jwt.audiences", Postern.shared()::issuer);
    registry.add("spring.security.oauth2.client.provider.postern.issuer-uri", Postern.shared()::issuer);
  }

  /** The application sends what a challenge asks for: its own path has it as parameters. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  @RestController
  static class Application {
    @Bean
    @Order(1)
    SecurityFilterChain pages(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
      var requests = new DefaultOAuth2AuthorizationRequestResolver(clients, "/oauth2/authorization");
      requests.setAuthorizationRequestCustomizer(request -> request.additionalParameters(more -> {
        var context = (ServletRequestAttributes) RequestContextHolder.currentRequestAttributes();
        for (String name : new String[] {"acr_values", "max_age"}) {
          String value = context.getRequest().getParameter(name);
          if (value != null) more.put(name, value);
        }
      }));
      return http.securityMatcher("/", "/token", "/login/**", "/oauth2/**")
          .authorizeHttpRequests(each -> each.anyRequest().authenticated())
          .oauth2Login(login -> login.authorizationEndpoint(each -> each.authorizationRequestResolver(requests)))
          .build();
    }

    @GetMapping("/")
    String hello(@AuthenticationPrincipal OidcUser person) {
      return person.getSubject() + " " + person.getAuthenticationContextClass();
    }

    @GetMapping("/token")
    String token(@RegisteredOAuth2AuthorizedClient("postern") OAuth2AuthorizedClient client) {
      return client.getAccessToken().getTokenValue();
    }

    @GetMapping("/orders")
    String orders(@AuthenticationPrincipal Jwt token) {
      return "orders of " + token.getSubject();
    }

    @PostMapping("/payments")
    String pay(@AuthenticationPrincipal Jwt token) {
      return "payment of " + token.getSubject();
    }
  }

  /** What `print spring` prints for the API: a test of the command compares both. */
  @Configuration
  static class Api {
    // accessTokenType sets the accepted typ: access tokens have at+jwt (RFC 9068), and Spring expects JWT.
    @Bean
    JwtTypeValidator accessTokenType() {
      return new JwtTypeValidator("at+jwt");
    }

    // accessTokenExpires requires exp: Spring accepts a token without exp, which never expires.
    @Bean
    JwtClaimValidator<Object> accessTokenExpires() {
      return new JwtClaimValidator<>("exp", Objects::nonNull);
    }

    // security asks for a stronger and newer sign-in (RFC 9470). Spring Security never sends this challenge.
    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
      var usual = new BearerTokenAccessDeniedHandler();
      return http
          .authorizeHttpRequests((requests) -> requests
              .requestMatchers(HttpMethod.POST, "/payments").access(stepUp("mfa", 300))
              .anyRequest().authenticated())
          .oauth2ResourceServer((server) -> server
              .jwt(Customizer.withDefaults())
              .accessDeniedHandler((request, response, refusal) -> {
                if (refusal instanceof StepUp needed) {
                  response.setStatus(401);
                  response.setHeader("WWW-Authenticate",
                      "Bearer error=\"insufficient_user_authentication\", " + needed.getMessage());
                } else {
                  usual.handle(request, response, refusal);
                }
              }))
          .build();
    }

    static AuthorizationManager<RequestAuthorizationContext> stepUp(String acr, int maxAge) {
      return (caller, context) -> {
        if (caller.get() instanceof JwtAuthenticationToken token) {
          var signedInAt = token.getToken().getClaimAsInstant("auth_time");
          var isNew = signedInAt != null && !signedInAt.isBefore(Instant.now().minusSeconds(maxAge));
          if (isNew && acr.equals(token.getToken().getClaimAsString("acr"))) return new AuthorizationDecision(true);
          throw new StepUp("acr_values=\"" + acr + "\", max_age=\"" + maxAge + "\"");
        }
        return new AuthorizationDecision(false);
      };
    }

    static class StepUp extends AccessDeniedException {
      StepUp(String needed) {
        super(needed);
      }
    }
  }

  @LocalServerPort private int port;

  private final HttpClient browser = HttpClient.newBuilder()
      .cookieHandler(new CookieManager())
      .followRedirects(HttpClient.Redirect.NORMAL)
      .build();

  private String open(String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build();
    return browser.send(request, BodyHandlers.ofString()).body();
  }

  private HttpResponse<String> callApi(String method, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
        .method(method, HttpRequest.BodyPublishers.noBody())
        .header("Authorization", "Bearer " + open("/token"))
        .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  private static String read(String challenge, String name) {
    var found = Pattern.compile("\\b" + name + "=\"([^\"]*)\"").matcher(challenge);
    return found.find() ? found.group(1) : null;
  }

  @Test
  void aPaymentNeedsTheSecondFactor(Postern postern) throws Exception {
    postern.nextSignIn("alice");
    assertEquals("alice null", open("/"));
    assertEquals("orders of alice", callApi("GET", "/orders").body());

    HttpResponse<String> refused = callApi("POST", "/payments");
    assertEquals(401, refused.statusCode());
    String challenge = refused.headers().firstValue("WWW-Authenticate").orElseThrow();
    assertEquals("insufficient_user_authentication", read(challenge, "error"));
    assertEquals("mfa", read(challenge, "acr_values"));
    assertEquals("300", read(challenge, "max_age"));

    postern.nextSignIn("alice");
    String more = "?acr_values=" + read(challenge, "acr_values") + "&max_age=" + read(challenge, "max_age");
    assertEquals("alice mfa", open("/oauth2/authorization/postern" + more));
    assertEquals("payment of alice", callApi("POST", "/payments").body());
  }

  @Test
  void aSignInOfLongAgoIsRefused(Postern postern) throws Exception {
    // Spring has the clock of the machine, so the token lives longer than the step that the API allows.
    postern.clock().set(Instant.now().minusSeconds(301));
    postern.nextSignIn("alice");
    assertEquals("alice mfa", open("/oauth2/authorization/postern?acr_values=mfa"));
    assertEquals(401, callApi("POST", "/payments").statusCode());
    assertEquals("orders of alice", callApi("GET", "/orders").body());
  }
}
