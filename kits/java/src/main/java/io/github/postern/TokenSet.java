package io.github.postern;

import io.github.postern.api.Tokens;
import java.util.LinkedHashMap;
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
    Map<String, Object> own = new LinkedHashMap<>(response);
    own.keySet().retainAll(List.of("access_token", "refresh_token", "id_token", "authorization_details"));
    try {
      return (Tokens) Values.decode(own, "response", Tokens.class);
    } catch (PosternException wrong) {
      throw new IllegalArgumentException(wrong.getMessage(), wrong);
    }
  }
}
