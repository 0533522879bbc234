package io.github.postern;

import java.util.List;
import java.util.Map;

/** The tokens of a token response: that of {@code login}, or one that your own client has received. */
public interface TokenSet {
  /** The access token, or null. */
  String accessToken();

  /** The refresh token, or null. */
  String refreshToken();

  /** The ID token, or null. */
  String idToken();

  /** What was granted in detail, or null. */
  List<Map<String, Object>> authorizationDetails();

  /** Returns the tokens of a response with its names in JSON, such as {@code refresh_token}. */
  static TokenSet of(Map<String, ?> response) {
    return Values.decode(response, Received.class, "the token response");
  }

  /** What a client of the test has received. */
  record Received(
      @JsonName("access_token") String accessToken,
      @JsonName("refresh_token") String refreshToken,
      @JsonName("id_token") String idToken,
      @JsonName("authorization_details") List<Map<String, Object>> authorizationDetails)
      implements TokenSet {}
}
