/** An application that signs people in, calls the API for them, and refreshes twice. It runs for all servers. */
package login;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.client.OAuth2AuthorizeRequest;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.RefreshTokenOAuth2AuthorizedClientProvider;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

@SpringBootApplication
class Login {
  public static void main(String[] args) {
    SpringApplication.run(Login.class, args);
  }

  /** Each run has a server and a registration of its own, as tenants have. The id says the issuer and the API. */
  @Bean
  ClientRegistrationRepository registrations() {
    Map<String, ClientRegistration> known = new ConcurrentHashMap<>();
    return (id) -> known.computeIfAbsent(id, (missing) ->
        ClientRegistrations.fromIssuerLocation(read(missing)[0])
            .registrationId(missing)
            .clientId("spring-security")
            .clientAuthenticationMethod(ClientAuthenticationMethod.NONE)
            .redirectUri("{baseUrl}/callback")
            .scope("openid", "profile", "email", "orders")
            .build());
  }

  static String[] read(String id) {
    return new String(Base64.getUrlDecoder().decode(id)).split(" ");
  }

  @Bean
  SecurityFilterChain security(HttpSecurity http, ClientRegistrationRepository registrations) throws Exception {
    var requests = new DefaultOAuth2AuthorizationRequestResolver(registrations, "/login");
    requests.setAuthorizationRequestCustomizer((request) -> request.attributes((attributes) -> {
      var servers = read((String) attributes.get("registration_id"));
      request.authorizationRequestUri((uri) -> uri.queryParam("resource", servers[0], servers[1]).build());
    }));
    return http
        .authorizeHttpRequests((paths) -> paths
            .dispatcherTypeMatchers(DispatcherType.ERROR).permitAll()
            .anyRequest().authenticated())
        .oauth2Login((login) -> login
            .authorizationEndpoint((endpoint) -> endpoint.authorizationRequestResolver(requests))
            .redirectionEndpoint((endpoint) -> endpoint.baseUri("/callback"))
            .failureHandler(Login::explain)
            .withObjectPostProcessor(new ObjectPostProcessor<OAuth2AuthorizationRequestRedirectFilter>() {
              public <T extends OAuth2AuthorizationRequestRedirectFilter> T postProcess(T filter) {
                filter.setAuthenticationFailureHandler(Login::explain);
                return filter;
              }
            }))
        .build();
  }

  static void explain(HttpServletRequest request, HttpServletResponse response, Exception exception)
      throws IOException {
    response.setStatus(401);
    for (Throwable each = exception; each != null; each = each.getCause()) response.getWriter().println(each);
  }

  @Bean
  RefreshTokenOAuth2AuthorizedClientProvider refreshes() {
    var refreshes = new RefreshTokenOAuth2AuthorizedClientProvider();
    refreshes.setClockSkew(Duration.ofDays(1000)); // as if time had gone by
    return refreshes;
  }

  @RestController
  record Orders(OAuth2AuthorizedClientManager manager, OAuth2AuthorizedClientRepository clients) {
    @GetMapping("/")
    String call(OAuth2AuthenticationToken person, HttpServletRequest request, HttpServletResponse response) {
      var id = person.getAuthorizedClientRegistrationId();
      call(clients.loadAuthorizedClient(id, person, request));
      var again = OAuth2AuthorizeRequest.withClientRegistrationId(id).principal(person)
          .attribute(HttpServletRequest.class.getName(), request)
          .attribute(HttpServletResponse.class.getName(), response).build();
      call(manager.authorize(again));
      call(manager.authorize(again));
      return "signed in";
    }

    void call(OAuth2AuthorizedClient client) {
      RestClient.create().get().uri(read(client.getClientRegistration().getRegistrationId())[1])
          .headers((headers) -> headers.setBearerAuth(client.getAccessToken().getTokenValue()))
          .retrieve().toBodilessEntity();
    }

    @ExceptionHandler
    void explain(HttpServletRequest request, HttpServletResponse response, Exception exception) throws IOException {
      Login.explain(request, response, exception);
    }
  }
}
