package io.github.postern;

import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenErrorResponse;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.token.RefreshToken;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.openid.connect.sdk.token.OIDCTokens;
import java.io.IOException;
import java.net.URI;

/** An application that signs people in with Nimbus. A naive one takes its tokens without a look. */
public final class Shop {
  private static final URI CALLBACK = URI.create("http://localhost:3000/callback");

  private final Postern postern;
  private final boolean isNaive;
  private final ClientID client = new ClientID("shop");
  private final OIDCProviderMetadata metadata;

  Shop(Postern postern, boolean isNaive) throws Exception {
    this.postern = postern;
    this.isNaive = isNaive;
    this.metadata = OIDCProviderMetadata.resolve(new Issuer(postern.issuer()));
  }

  public static OIDCTokens signIn(Postern postern) throws Exception {
    return new Shop(postern, false).signIn("bob");
  }

  OIDCTokens signIn(String username) throws Exception {
    CodeVerifier verifier = new CodeVerifier();
    State state = new State();
    Nonce nonce = new Nonce();
    AuthenticationRequest request =
        new AuthenticationRequest.Builder(ResponseType.CODE, new Scope("openid", "orders"), client, CALLBACK)
            .endpointURI(metadata.getAuthorizationEndpointURI())
            .state(state)
            .nonce(nonce)
            .codeChallenge(verifier, CodeChallengeMethod.S256)
            .build();
    URI callback = URI.create(postern.authorize(request.toURI(), username).url());
    var response = AuthenticationResponseParser.parse(callback).toSuccessResponse();
    if (!response.getState().equals(state)) throw new IllegalStateException("another state");
    AuthorizationCode code = response.getAuthorizationCode();
    OIDCTokens tokens = ask(new AuthorizationCodeGrant(code, CALLBACK, verifier));
    if (isNaive) return tokens;
    new IDTokenValidator(
            metadata.getIssuer(), client, JWSAlgorithm.RS256, metadata.getJWKSetURI().toURL())
        .validate(tokens.getIDToken(), nonce);
    return tokens;
  }

  OIDCTokens refresh(RefreshToken token) throws Exception {
    return ask(new RefreshTokenGrant(token));
  }

  private OIDCTokens ask(AuthorizationGrant grant) throws Exception {
    TokenRequest request =
        new TokenRequest.Builder(metadata.getTokenEndpointURI(), client, grant).build();
    TokenResponse response = OIDCTokenResponseParser.parse(request.toHTTPRequest().send());
    if (response instanceof TokenErrorResponse refused) {
      throw new IOException(refused.getErrorObject().getDescription());
    }
    return ((OIDCTokenResponse) response).getOIDCTokens();
  }
}
