/** The words of libraries for Go, Java, Rust, Ruby, PHP, Perl and C#. */

import type { LibraryRow } from "./library.ts";

export const go: readonly LibraryRow[] = [
  {
    name: "x-oauth2",
    title: "x/oauth2",
    version: "with go-oidc 3",
    words: {
      pkce: "oauth2.S256ChallengeOption(verifier)",
      nonce: "oidc.Nonce(nonce)",
      resource: 'oauth2.SetAuthURLParam("resource", "https://api.example")',
      authentication: "AuthStyle: oauth2.AuthStyleInHeader",
    },
    into: {
      pkce: "config.AuthCodeURL(…)",
      nonce: "config.AuthCodeURL(…)",
      resource: "config.AuthCodeURL(…)",
      authentication: "oauth2.Endpoint{…}",
    },
    note:
      "`verifier` is from `oauth2.GenerateVerifier()`, a new one for each login. `config.Exchange(ctx, code, oauth2.VerifierOption(verifier))` sends it.",
    source: "pkce.go",
    form: "go",
  },
  {
    name: "cap",
    title: "hashicorp/cap",
    version: "0.15",
    words: { pkce: "oidc.WithPKCE(verifier)" },
    into: { pkce: "oidc.NewRequest(…)" },
    note: "`verifier` is from `oidc.NewCodeVerifier()`, a new one for each login.",
    more: "It sends a nonce by itself.",
    source: "oidc/request.go",
    requests: [{
      order: "client_id nonce redirect_uri response_type scope state",
      state: ["base64url", 23],
      nonce: ["base64url", 22],
    }],
    settings: String
      .raw`config, err := oidc.NewConfig(__ISSUER__, __CLIENT_ID__, "any secret for a new client",
	[]oidc.Alg{"__ALG__"}, []string{__REDIRECT_URI__})
provider, err := oidc.NewProvider(config)
verifier, err := oidc.NewCodeVerifier() // a new one for each login
request, err := oidc.NewRequest(time.Minute, __REDIRECT_URI__,
	oidc.WithScopes("profile", "email"), oidc.WithPKCE(verifier))
url, err := provider.AuthURL(ctx, request)`,
  },
  {
    name: "zitadel-oidc",
    title: "zitadel/oidc",
    version: "3.52",
    words: { pkce: "rp.WithPKCE(cookieHandler)" },
    into: { pkce: "rp.NewRelyingPartyOIDC(…)" },
    note: "`cookieHandler` is from `httphelper.NewCookieHandler()`.",
    requests: [{
      order: "client_id redirect_uri response_type scope state",
      state: ["uuid", 36],
      callback: "/auth/callback",
    }],
    source: "pkg/client/rp/relying_party.go",
    settings: String
      .raw`cookies := httphelper.NewCookieHandler(key, key, httphelper.WithUnsecure()) // http, on this machine
party, err := rp.NewRelyingPartyOIDC(ctx, __ISSUER__, __CLIENT_ID__, "", __REDIRECT_URI__,
	strings.Fields(__SCOPE__), rp.WithCookieHandler(cookies), rp.WithPKCE(cookies))
http.Handle("/login", rp.AuthURLHandler(state, party))`,
  },
  {
    name: "goth",
    version: "1.82",
    pkce: "never",
    more: "It sends no nonce either.",
    source: "providers/openidConnect/openidConnect.go",
    requests: [{ order: "client_id redirect_uri response_type scope state", state: ["base64", 88] }],
    settings: String
      .raw`// The server needs this entry in its configuration, and cannot notice a stolen code of this client then:
// { "clients": [{ "client_id": __CLIENT_ID__, "client_secret": "the secret of the client",
//   "redirect_uris": ["http://localhost:3000/auth/openid-connect/callback"],
//   "require_pkce": false, "oauth_version": "2.0" }] }
provider, err := openidConnect.New(__CLIENT_ID__, "the secret of the client",
	"http://localhost:3000/auth/openid-connect/callback",
	__DISCOVERY_URL__, "profile", "email")
goth.UseProviders(provider)`,
  },
  {
    name: "gologin",
    version: "2.5",
    pkce: "never",
    note: "It sends no nonce either. x/oauth2, on which it is built, can send PKCE.",
    source: "oauth2/login.go",
    settings: String
      .raw`// The server needs this entry in its configuration, and cannot notice a stolen code of this client then:
// { "clients": [{ "client_id": __CLIENT_ID__, "client_secret": "the secret of the client",
//   "redirect_uris": [__REDIRECT_URI__],
//   "require_pkce": false, "oauth_version": "2.0" }] }
config := &oauth2.Config{
	ClientID:     __CLIENT_ID__,
	ClientSecret: "the secret of the client",
	RedirectURL:  __REDIRECT_URI__,
	Endpoint:     oauth2.Endpoint{AuthURL: __AUTHORIZE_URL__, TokenURL: __TOKEN_URL__},
	Scopes:       strings.Fields(__SCOPE__),
}
login := loginoauth2.StateHandler(gologin.DebugOnlyCookieConfig, loginoauth2.LoginHandler(config, nil))`,
  },
];

export const java: readonly LibraryRow[] = [
  {
    name: "spring",
    title: "Spring Security",
    version: "6.5 (Spring Boot 3)",
    words: {
      pkce: "client-authentication-method: none",
      authentication: "client-authentication-method: client_secret_basic",
    },
    into: { pkce: "spring.security.oauth2.client.registration.ID" },
    alternative: {
      insteadOf: "application.yml",
      file: "application.properties",
      line: "spring.security.oauth2.client.registration.ID.client-authentication-method=none",
    },
    where: "Spring then sends PKCE and no secret, also in the token request.",
    note:
      "A client that keeps its secret needs no such line, but the Java class `LoginWithPkce` of `print spring`. Spring Boot 4 sends PKCE by itself.",
    callback: "/login/oauth2/code/*",
    source: "OAuth2AuthorizationRequestCustomizers.java",
    form: "spring",
  },
  {
    name: "quarkus",
    title: "Quarkus OIDC",
    version: "3.20",
    words: {
      pkce: "quarkus.oidc.authentication.pkce-required=true",
      nonce: "quarkus.oidc.authentication.nonce-required=true",
      resource: "quarkus.oidc.authentication.extra-params.resource=https://api.example",
      authentication: "quarkus.oidc.credentials.client-secret.method=post",
    },
    where: "In `application.properties`.",
    source: "quarkus-oidc, OidcTenantConfig.java",
    requests: [{ order: "response_type client_id scope redirect_uri state", state: ["uuid", 36] }],
    isPlain: true,
    settings: String.raw`# application.properties
quarkus.oidc.auth-server-url=__ISSUER__
quarkus.oidc.client-id=__CLIENT_ID__
quarkus.oidc.credentials.secret=any-secret-for-a-new-client
quarkus.oidc.application-type=web-app
quarkus.oidc.authentication.scopes=profile,email
quarkus.oidc.authentication.pkce-required=true`,
  },
  {
    name: "vertx",
    title: "Vert.x Auth",
    version: "4.5",
    words: { pkce: "handler.pkceVerifierLength(64)" },
    note: "`handler` is the `OAuth2AuthHandler`. It needs a `SessionHandler` before it.",
    source: "OAuth2AuthHandler.java",
    requests: [{
      order: "state redirect_uri scope response_type client_id",
      state: ["base64url", 8],
    }],
    settings: String.raw`OAuth2Options options = new OAuth2Options()
  .setSite(__ISSUER__)
  .setClientId(__CLIENT_ID__)
  .setClientSecret("any secret for a new client");
router.route().handler(SessionHandler.create(LocalSessionStore.create(vertx)));
OpenIDConnectAuth.discover(vertx, options).onSuccess(provider -> {
  OAuth2AuthHandler handler = OAuth2AuthHandler.create(vertx, provider, __REDIRECT_URI__)
    .withScopes(List.of(__SCOPE__.split(" ")))
    .pkceVerifierLength(64);
  handler.setupCallback(router.get("/callback"));
  router.route("/private/*").handler(handler);
});`,
  },
  {
    name: "scribejava",
    title: "ScribeJava",
    version: "8.3",
    words: { pkce: ".initPKCE()" },
    into: { pkce: "service.createAuthorizationUrlBuilder()" },
    note:
      "Keep `builder.getPkce()`: `AccessTokenRequestParams.create(code).pkceCodeVerifier(pkce.getCodeVerifier())` sends the verifier.",
    source: "AuthorizationUrlBuilder.java",
    settings: String.raw`DefaultApi20 postern = new DefaultApi20() {
  @Override public String getAccessTokenEndpoint() { return __TOKEN_URL__; }
  @Override protected String getAuthorizationBaseUrl() { return __AUTHORIZE_URL__; }
};
OAuth20Service service = new ServiceBuilder(__CLIENT_ID__)
  .apiSecret("any secret for a new client")
  .defaultScope(__SCOPE__)
  .callback(__REDIRECT_URI__)
  .build(postern);
AuthorizationUrlBuilder builder = service.createAuthorizationUrlBuilder().state(state).initPKCE();
String url = builder.build();
// At the callback:
// service.getAccessToken(AccessTokenRequestParams.create(code).pkceCodeVerifier(builder.getPkce().getCodeVerifier()));`,
  },
  {
    name: "google-oauth-client",
    version: "1.39",
    words: { pkce: ".enablePKCE()" },
    into: { pkce: "new AuthorizationCodeFlow.Builder(…)" },
    source: "AuthorizationCodeFlow.java",
    settings: String.raw`AuthorizationCodeFlow flow = new AuthorizationCodeFlow.Builder(
    BearerToken.authorizationHeaderAccessMethod(), new NetHttpTransport(), GsonFactory.getDefaultInstance(),
    new GenericUrl(__TOKEN_URL__), new BasicAuthentication(__CLIENT_ID__, "any secret for a new client"),
    __CLIENT_ID__, __AUTHORIZE_URL__)
  .setScopes(List.of(__SCOPE__.split(" ")))
  .enablePKCE()
  .build();`,
  },
  {
    name: "nimbus",
    title: "Nimbus OAuth 2.0 SDK",
    version: "11.26",
    words: {
      pkce: ".codeChallenge(verifier, CodeChallengeMethod.S256)",
      nonce: ".nonce(new Nonce())",
      resource: '.resource(URI.create("https://api.example"))',
      authentication: "new ClientSecretBasic(clientID, secret)",
    },
    into: {
      pkce: "new AuthenticationRequest.Builder(…)",
      nonce: "new AuthenticationRequest.Builder(…)",
      resource: "new AuthenticationRequest.Builder(…)",
    },
    note: "`verifier` is a `new CodeVerifier()`. It is an argument of `AuthorizationCodeGrant`, too.",
    source: "AuthenticationRequest.java",
    requests: [{
      order: "scope response_type redirect_uri state nonce client_id",
      state: ["base64url", 43],
      nonce: ["base64url", 43],
    }],
    settings: String.raw`// Keep both for the callback.
CodeVerifier verifier = new CodeVerifier();
State state = new State();
AuthenticationRequest request = new AuthenticationRequest.Builder(
    new ResponseType("code"), Scope.parse(__SCOPE__), new ClientID(__CLIENT_ID__), URI.create(__REDIRECT_URI__))
  .endpointURI(URI.create(__AUTHORIZE_URL__))
  .state(state)
  .codeChallenge(verifier, CodeChallengeMethod.S256)
  .build();
// At the callback:
// new AuthorizationCodeGrant(code, URI.create(__REDIRECT_URI__), verifier)`,
  },
  {
    name: "pac4j",
    title: "pac4j-oidc",
    version: "6.1",
    pkce: "always",
    words: { pkce: "configuration.setDisablePkce(false)", nonce: "configuration.setUseNonce(true)" },
    note: "It sends PKCE if the metadata of the server names S256, unless `setDisablePkce(true)`.",
    source: "OidcConfiguration.java",
    settings: String.raw`OidcConfiguration configuration = new OidcConfiguration();
configuration.setDiscoveryURI(__DISCOVERY_URL__);
configuration.setClientId(__CLIENT_ID__);
configuration.setSecret("any secret for a new client");
configuration.setScope(__SCOPE__);
OidcClient client = new OidcClient(configuration);
client.setCallbackUrl(__REDIRECT_URI__);`,
  },
  {
    name: "jetty-openid",
    title: "Jetty OpenID",
    version: "12.0",
    pkce: "never",
    method: "client_secret_post",
    more: "It sends no nonce either.",
    callback: "/j_security_check",
    source: "OpenIdConfiguration.java, OpenIdAuthenticator.java",
    settings: String
      .raw`// The server needs this entry in its configuration, and cannot notice a stolen code of this client then:
// { "clients": [{ "client_id": __CLIENT_ID__, "client_secret": "the secret of the client",
//   "token_endpoint_auth_method": "client_secret_post",
//   "redirect_uris": ["http://localhost:8080/j_security_check"],
//   "require_pkce": false, "oauth_version": "2.0" }] }
OpenIdConfiguration configuration = new OpenIdConfiguration(
    __ISSUER__, __CLIENT_ID__, "the secret of the client");
configuration.addScopes("profile", "email");`,
  },
];

export const rust: readonly LibraryRow[] = [{
  name: "openidconnect",
  title: "openidconnect",
  version: "4",
  pkce: "if told",
  words: {
    pkce: ".set_pkce_challenge(challenge)",
    resource: '.add_extra_param("resource", "https://api.example")',
  },
  into: { pkce: "client.authorize_url(…)", resource: "client.authorize_url(…)" },
  note:
    "`let (challenge, verifier) = PkceCodeChallenge::new_random_sha256()`. `set_pkce_verifier(verifier)` sends the verifier. The crate `oauth2` has the same calls.",
  source: "src/authorization.rs",
  form: "rust",
}];

export const ruby: readonly LibraryRow[] = [
  {
    name: "ruby-oauth2",
    title: "oauth2",
    version: "1.4",
    method: "client_secret_post",
    words: {
      pkce: 'code_challenge: challenge, code_challenge_method: "S256"',
    },
    into: { pkce: "client.auth_code.authorize_url(…)" },
    note: "`get_token(code, code_verifier: verifier)` sends the verifier.",
    source: "lib/oauth2/strategy/auth_code.rb",
    settings: String.raw`client = OAuth2::Client.new(__CLIENT_ID__, 'any secret for a new client',
  authorize_url: __AUTHORIZE_URL__, token_url: __TOKEN_URL__)
# Keep both for the callback.
state, verifier = SecureRandom.hex, SecureRandom.urlsafe_base64(32)
challenge = Base64.urlsafe_encode64(Digest::SHA256.digest(verifier), padding: false)
url = client.auth_code.authorize_url(redirect_uri: __REDIRECT_URI__, scope: __SCOPE__, state: state,
  code_challenge: challenge, code_challenge_method: 'S256')
# At the callback:
# client.auth_code.get_token(code, redirect_uri: __REDIRECT_URI__, code_verifier: verifier)`,
  },
  {
    name: "omniauth-openid-connect",
    title: "omniauth_openid_connect",
    version: "of rubygems",
    words: {
      pkce: "pkce: true",
      nonce: "send_nonce: true",
      https: "discovery: false",
      authentication: "client_auth_method: :basic",
    },
    where: "An option of `provider :openid_connect` in the initializer `omniauth.rb`.",
    note: "The package of Debian 12 is another one, without `pkce`.",
    more: "Discovery needs https, so name the endpoints, or start the server with `--tls`.",
    source: "lib/omniauth/strategies/openid_connect.rb",
    requests: [{
      order: "client_id nonce redirect_uri response_type scope state",
      state: ["hex", 32],
      nonce: ["hex", 32],
    }],
    settings: String.raw`# The redirect URI is http://localhost:3000/auth/postern/callback
provider :openid_connect,
  name: :postern,
  issuer: __ISSUER__,
  discovery: false,
  scope: __SCOPE__.split.map(&:to_sym),
  response_type: :code,
  pkce: true,
  client_options: {
    identifier: __CLIENT_ID__,
    secret: 'any secret for a new client',
    redirect_uri: 'http://localhost:3000/auth/postern/callback',
    authorization_endpoint: __AUTHORIZE_URL__,
    token_endpoint: __TOKEN_URL__,
    userinfo_endpoint: __USERINFO_URL__,
    jwks_uri: __JWKS_URL__,
  }`,
  },
  {
    name: "omniauth-oauth2",
    version: "1.8",
    words: { pkce: "option :pkce, true" },
    where: "In the class of your strategy, or an option of `provider` in the initializer.",
    source: "lib/omniauth/strategies/oauth2.rb",
    settings: String.raw`class Postern < OmniAuth::Strategies::OAuth2
  option :name, 'postern'
  option :client_options, { authorize_url: __AUTHORIZE_URL__, token_url: __TOKEN_URL__ }
  option :scope, __SCOPE__
  option :pkce, true
end
# provider Postern, __CLIENT_ID__, 'any secret for a new client'`,
  },
];

export const php: readonly LibraryRow[] = [
  {
    name: "league-oauth2-client",
    title: "league/oauth2-client",
    version: "2",
    words: { pkce: "'pkceMethod' => GenericProvider::PKCE_METHOD_S256", scope: "'scopeSeparator' => ' '" },
    where: "An option of `new GenericProvider([ … ])`.",
    note: "Keep `$provider->getPkceCode()` in the session, and give it to `setPkceCode()` at the callback.",
    source: "src/Provider/AbstractProvider.php",
    settings: String.raw`$provider = new League\OAuth2\Client\Provider\GenericProvider([
    'clientId' => __CLIENT_ID__,
    'clientSecret' => 'any secret for a new client',
    'redirectUri' => __REDIRECT_URI__,
    'urlAuthorize' => __AUTHORIZE_URL__,
    'urlAccessToken' => __TOKEN_URL__,
    'urlResourceOwnerDetails' => __USERINFO_URL__,
    'scopes' => __SCOPE__,
    'pkceMethod' => 'S256',
]);`,
  },
  {
    name: "socialite",
    title: "Laravel Socialite",
    version: "5",
    words: { pkce: "->enablePKCE()" },
    into: { pkce: "Socialite::driver('postern')" },
    note: "Call it at the callback, too: `Socialite::driver('postern')->enablePKCE()->user()`.",
    source: "Laravel Socialite, AbstractProvider.php",
    settings: String.raw`// config/services.php, for a driver of your own
'postern' => [
    'client_id' => __CLIENT_ID__,
    'client_secret' => 'any secret for a new client',
    'redirect' => __REDIRECT_URI__,
],
// In the controller, at the start and at the callback:
// Socialite::driver('postern')->enablePKCE()`,
  },
  {
    name: "openid-connect-php",
    title: "jumbojett/openid-connect-php",
    version: "1",
    words: { pkce: "$oidc->setCodeChallengeMethod('S256')" },
    source: "src/OpenIDConnectClient.php",
    settings: String
      .raw`$oidc = new Jumbojett\OpenIDConnectClient(__ISSUER__, __CLIENT_ID__, 'any secret for a new client');
$oidc->setRedirectURL(__REDIRECT_URI__);
$oidc->addScope(explode(' ', __SCOPE__));
$oidc->setCodeChallengeMethod('S256');
$oidc->authenticate();`,
  },
];

export const perl: readonly LibraryRow[] = [{
  name: "net-oauth2",
  title: "Net::OAuth2",
  version: "0.67",
  pkce: "if told",
  words: { pkce: 'code_challenge => $challenge, code_challenge_method => "S256"' },
  into: { pkce: "$auth->authorize(…)" },
  note:
    "`get_access_token($code, code_verifier => $verifier)` sends the verifier, and the secret in the body.",
  source: "Net/OAuth2/Profile/WebServer.pm",
  settings: String.raw`my $auth = Net::OAuth2::Profile::WebServer->new(
    client_id        => __CLIENT_ID__,
    client_secret    => 'any secret for a new client',
    authorize_url    => __AUTHORIZE_URL__,
    access_token_url => __TOKEN_URL__,
    redirect_uri     => __REDIRECT_URI__,
    scope            => __SCOPE__,
);
# Digest::SHA and MIME::Base64 (encode_base64url). Keep $verifier for the callback.
my $challenge = encode_base64url(sha256($verifier));
my $url = $auth->authorize(code_challenge => $challenge, code_challenge_method => 'S256');
# At the callback:
# my $token = $auth->get_access_token($code, code_verifier => $verifier);`,
}, {
  name: "mojolicious-oauth2",
  title: "Mojolicious::Plugin::OAuth2",
  version: "2.02",
  pkce: "never",
  method: "client_secret_post",
  words: { response_type: 'authorize_query => {response_type => "code"}' },
  into: { response_type: "get_token_p(postern => {…})" },
  note: "It sends no nonce.",
  source: "Mojolicious/Plugin/OAuth2.pm",
  requests: [{ order: "client_id redirect_uri scope" }],
  settings: String
    .raw`# The server needs this entry in its configuration, and cannot notice a stolen code of this client then:
# { "clients": [{ "client_id": "my-app", "client_secret": "the secret of the client",
#   "token_endpoint_auth_method": "client_secret_post", "redirect_uris": ["http://localhost:3000/auth"],
#   "require_pkce": false, "oauth_version": "2.0" }] }
plugin OAuth2 => {
  postern => {
    key           => __CLIENT_ID__,
    secret        => 'the secret of the client',
    authorize_url => __AUTHORIZE_URL__,
    token_url     => __TOKEN_URL__,
  },
};
# In the action:
# $c->oauth2->get_token_p(postern => {scope => __SCOPE__, authorize_query => {response_type => 'code'}})`,
}];

export const csharp: readonly LibraryRow[] = [{
  name: "aspnet-core",
  title: "ASP.NET Core OpenIdConnect",
  version: "8",
  pkce: "if told",
  words: {
    pkce: "options.ResponseType = OpenIdConnectResponseType.Code",
    response_type: "options.ResponseType = OpenIdConnectResponseType.Code",
    https: "options.RequireHttpsMetadata = false",
    claims: "options.GetClaimsFromUserInfoEndpoint = true",
  },
  where: "In `AddOpenIdConnect(options => { … })` of `Program.cs`.",
  note: "With a code it sends PKCE by itself, unless `UsePkce` is false.",
  more: "The callback path is `/signin-oidc`.",
  callback: "/signin-oidc",
  source: "ASP.NET Core documentation, OpenIdConnectOptions",
  settings: String.raw`// The redirect URI is http://localhost:5000/signin-oidc
builder.Services.AddAuthentication(OpenIdConnectDefaults.AuthenticationScheme)
    .AddCookie()
    .AddOpenIdConnect(options =>
    {
        options.SignInScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.Authority = __ISSUER__;
        options.ClientId = __CLIENT_ID__;
        options.ResponseType = OpenIdConnectResponseType.Code;
        options.RequireHttpsMetadata = false;
        options.GetClaimsFromUserInfoEndpoint = true;
    });`,
}];
