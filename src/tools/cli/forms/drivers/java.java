// A login with the OAuth SDK of Nimbus, for an examination by Postern. Change it to what your application does.
//   __STEPS__
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.oauth2.sdk.*;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.id.*;
import com.nimbusds.oauth2.sdk.pkce.*;
import com.nimbusds.openid.connect.sdk.*;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import java.net.URI;

class Driver {
    public static void main(String[] args) throws Exception {
        var env = System.getenv();
        var issuer = new Issuer(env.get("OAUTH_ISSUER"));
        var client = new ClientID(env.get("OAUTH_CLIENT_ID"));
        var redirect = new URI(env.get("OAUTH_REDIRECT_URI"));
        var api = new URI(env.get("OAUTH_RESOURCE"));
        var server = OIDCProviderMetadata.resolve(issuer);
        var verifier = new CodeVerifier();
        var state = new State();
        var nonce = new Nonce();
        var scope = Scope.parse(env.get("OAUTH_SCOPE") + " orders"); // the API wants orders
        var login = new AuthenticationRequest.Builder(ResponseType.CODE, scope, client, redirect)
            .endpointURI(server.getAuthorizationEndpointURI()).resources(new URI(issuer.getValue()), api) // userinfo, API
            .state(state).nonce(nonce).codeChallenge(verifier, CodeChallengeMethod.S256).build();
        // The browser: the server signs in without a page.
        var browser = new HTTPRequest(HTTPRequest.Method.GET, login.toURI());
        browser.setFollowRedirects(false);
        var callback = AuthenticationResponseParser.parse(browser.send().getLocation());
        require(state.equals(callback.getState()) && issuer.equals(callback.getIssuer()), "this is not our answer");
        require(callback.indicatesSuccess(), "the answer is an error");
        var code = callback.toSuccessResponse().getAuthorizationCode();
        var tokens = request(server, client, new AuthorizationCodeGrant(code, redirect, verifier));
        var validator = new IDTokenValidator(issuer, client, JWSAlgorithm.RS256, server.getJWKSetURI().toURL());
        var claims = validator.validate(tokens.getOIDCTokens().getIDToken(), nonce);
        var ask = new UserInfoRequest(server.getUserInfoEndpointURI(), tokens.getTokens().getAccessToken());
        var person = UserInfoResponse.parse(ask.toHTTPRequest().send());
        var isSame = claims.getSubject().equals(person.toSuccessResponse().getUserInfo().getSubject());
        require(isSame, "userinfo is of another person");
        var refreshToken = tokens.getTokens().getRefreshToken();
        for (var refreshes = 0; refreshes < 2; refreshes++) {
            var refreshed = request(server, client, new RefreshTokenGrant(refreshToken)).getTokens();
            if (refreshed.getRefreshToken() != null) refreshToken = refreshed.getRefreshToken();
            var call = new HTTPRequest(HTTPRequest.Method.GET, api);
            call.setAuthorization(refreshed.getAccessToken().toAuthorizationHeader());
            require(call.send().indicatesSuccess(), "the API refuses the token");
        }
    }

    static OIDCTokenResponse request(OIDCProviderMetadata server, ClientID client, AuthorizationGrant grant) throws Exception {
        var request = new TokenRequest.Builder(server.getTokenEndpointURI(), client, grant).build();
        var response = OIDCTokenResponseParser.parse(request.toHTTPRequest().send());
        require(response.indicatesSuccess(), "the token endpoint answers with an error");
        return (OIDCTokenResponse) response.toSuccessResponse();
    }

    static void require(boolean condition, String problem) {
        if (!condition) throw new SecurityException(problem);
    }
}
