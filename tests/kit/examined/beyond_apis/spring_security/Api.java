/** The API: with the profile access-token, it has the validator for RFC 9068 and DPoP. */
package api;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Profile;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.SupplierJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
class Api {
  static final String ISSUER = System.getenv("ISSUER");

  public static void main(String[] args) {
    SpringApplication.run(Api.class, args);
  }

  @Bean
  @Profile("!access-token")
  SecurityFilterChain bearer(HttpSecurity http) throws Exception {
    return http
        .authorizeHttpRequests((requests) -> requests.anyRequest().hasAuthority("SCOPE_orders"))
        .oauth2ResourceServer((server) -> server.jwt(Customizer.withDefaults()))
        .build();
  }

  @Bean
  @Profile("access-token")
  SecurityFilterChain bound(HttpSecurity http) throws Exception {
    return http
        .authorizeHttpRequests((requests) -> requests.anyRequest().hasAuthority("SCOPE_orders"))
        .oauth2ResourceServer((server) -> server
            .jwt(Customizer.withDefaults())
            .dPoP(Customizer.withDefaults()))
        .build();
  }

  @Bean
  @Profile("access-token")
  JwtDecoder accessTokens() {
    // Late, because the server of examine-api starts after the API.
    return new SupplierJwtDecoder(() -> {
      var decoder = NimbusJwtDecoder.withIssuerLocation(ISSUER).build();
      decoder.setJwtValidator(
          JwtValidators.createAtJwtValidator().issuer(ISSUER).audience("https://api.test").build());
      return decoder;
    });
  }

  @GetMapping("/orders")
  String orders() {
    return "ok";
  }
}
