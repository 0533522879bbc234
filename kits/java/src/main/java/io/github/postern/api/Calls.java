// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import io.github.postern.TokenSet;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The calls that a server and a tenant have. */
public abstract class Calls {
  /** The kit has the only subclasses. */
  protected Calls() {}

  /** Returns the answer, or a member. After {@code List.class} comes the type of its values. */
  protected abstract <T> T call(
      String method, String path, Map<String, ?> query, Map<String, ?> body, String member, Class<?>... type);

  /** Returns a part of a path. */
  static String part(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static Map<String, Object> membersOf(TokenSet tokens) {
    Map<String, Object> members = new LinkedHashMap<>();
    if (tokens.accessToken() != null) members.put("access_token", tokens.accessToken());
    if (tokens.refreshToken() != null) members.put("refresh_token", tokens.refreshToken());
    if (tokens.idToken() != null) members.put("id_token", tokens.idToken());
    if (tokens.authorizationDetails() != null) members.put("authorization_details", tokens.authorizationDetails());
    return members;
  }

  /** Runs a whole flow with PKCE: the person signs in and approves, and the client gets its tokens. */
  public Tokens login() {
    return login(options -> {});
  }

  /**
   * Runs a whole flow with PKCE: the person signs in and approves, and the client gets its tokens.
   *
   * @param username Default: the person of automatic sign-in, or the first person.
   */
  public Tokens login(String username) {
    return login(options -> options.username(username));
  }

  /**
   * Runs a whole flow with PKCE: the person signs in and approves, and the client gets its tokens.
   *
   * @param username Default: the person of automatic sign-in, or the first person.
   * @param options What else it takes: each member has a method.
   */
  public Tokens login(String username, Consumer<LoginOptions> options) {
    return login(own -> options.accept(own.username(username)));
  }

  /**
   * Runs a whole flow with PKCE: the person signs in and approves, and the client gets its tokens.
   *
   * @param options What else it takes: each member has a method.
   */
  public Tokens login(Consumer<LoginOptions> options) {
    Map<String, Object> body = LoginOptions.of(options);
    return call("POST", "/login", Map.of(), body, null, Tokens.class);
  }

  /**
   * Opens a client's authorization URL as a browser would. Returns the request that the client
   * gets.
   *
   * @param url The absolute URL to which the client sends the browser.
   */
  public Callback authorize(String url) {
    return authorize(url, options -> {});
  }

  /**
   * Opens a client's authorization URL as a browser would. Returns the request that the client
   * gets.
   *
   * @param url The absolute URL to which the client sends the browser.
   * @param username The username. Default: the person of nextSignIn, the person signed in at
   * browser, the person of automatic sign-in, or the first person.
   */
  public Callback authorize(String url, String username) {
    return authorize(url, options -> options.username(username));
  }

  /**
   * Opens a client's authorization URL as a browser would. Returns the request that the client
   * gets.
   *
   * @param url The absolute URL to which the client sends the browser.
   * @param username The username. Default: the person of nextSignIn, the person signed in at
   * browser, the person of automatic sign-in, or the first person.
   * @param options What else it takes: each member has a method.
   */
  public Callback authorize(String url, String username, Consumer<AuthorizeOptions> options) {
    return authorize(url, own -> options.accept(own.username(username)));
  }

  /**
   * Opens a client's authorization URL as a browser would. Returns the request that the client
   * gets.
   *
   * @param url The absolute URL to which the client sends the browser.
   * @param options What else it takes: each member has a method.
   */
  public Callback authorize(String url, Consumer<AuthorizeOptions> options) {
    Map<String, Object> body = AuthorizeOptions.of(options);
    body.put("url", url);
    return call("POST", "/authorize", Map.of(), body, null, Callback.class);
  }

  /**
   * Opens a client's authorization URL as a browser would. Returns the request that the client
   * gets.
   *
   * @param url The absolute URL to which the client sends the browser.
   */
  public Callback authorize(URI url) {
    return authorize(url, options -> {});
  }

  /**
   * Opens a client's authorization URL as a browser would. Returns the request that the client
   * gets.
   *
   * @param url The absolute URL to which the client sends the browser.
   * @param username The username. Default: the person of nextSignIn, the person signed in at
   * browser, the person of automatic sign-in, or the first person.
   */
  public Callback authorize(URI url, String username) {
    return authorize(url, options -> options.username(username));
  }

  /**
   * Opens a client's authorization URL as a browser would. Returns the request that the client
   * gets.
   *
   * @param url The absolute URL to which the client sends the browser.
   * @param username The username. Default: the person of nextSignIn, the person signed in at
   * browser, the person of automatic sign-in, or the first person.
   * @param options What else it takes: each member has a method.
   */
  public Callback authorize(URI url, String username, Consumer<AuthorizeOptions> options) {
    return authorize(url, own -> options.accept(own.username(username)));
  }

  /**
   * Opens a client's authorization URL as a browser would. Returns the request that the client
   * gets.
   *
   * @param url The absolute URL to which the client sends the browser.
   * @param options What else it takes: each member has a method.
   */
  public Callback authorize(URI url, Consumer<AuthorizeOptions> options) {
    Map<String, Object> body = AuthorizeOptions.of(options);
    body.put("url", url);
    return call("POST", "/authorize", Map.of(), body, null, Callback.class);
  }

  /**
   * Answers a device login as the person who types its code: approves it, or denies it.
   *
   * @param userCode The user_code that the device shows, in any case, with or without its dash.
   */
  public void approveDevice(String userCode) {
    approveDevice(userCode, options -> {});
  }

  /**
   * Answers a device login as the person who types its code: approves it, or denies it.
   *
   * @param userCode The user_code that the device shows, in any case, with or without its dash.
   * @param username Default: the person of automatic sign-in, or the first person.
   */
  public void approveDevice(String userCode, String username) {
    approveDevice(userCode, options -> options.username(username));
  }

  /**
   * Answers a device login as the person who types its code: approves it, or denies it.
   *
   * @param userCode The user_code that the device shows, in any case, with or without its dash.
   * @param username Default: the person of automatic sign-in, or the first person.
   * @param options What else it takes: each member has a method.
   */
  public void approveDevice(String userCode, String username, Consumer<ApproveDeviceOptions> options) {
    approveDevice(userCode, own -> options.accept(own.username(username)));
  }

  /**
   * Answers a device login as the person who types its code: approves it, or denies it.
   *
   * @param userCode The user_code that the device shows, in any case, with or without its dash.
   * @param options What else it takes: each member has a method.
   */
  public void approveDevice(String userCode, Consumer<ApproveDeviceOptions> options) {
    Map<String, Object> body = ApproveDeviceOptions.of(options);
    body.put("userCode", userCode);
    call("POST", "/approve_device", Map.of(), body, null, Void.class);
  }

  /**
   * Resolves to the code of a person's second factor that the server accepts next. Each code works
   * once. After one, it is the code of the next 30 seconds, and then the clock must advance.
   *
   * @param username The username of the person.
   */
  public String codeOf(String username) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("username", username);
    return call("POST", "/code_of", Map.of(), body, "code", String.class);
  }

  /**
   * Resolves to what an authenticator app needs to make the codes of a person.
   *
   * @param username The username of the person.
   */
  public AuthenticatorOfAnswer authenticatorOf(String username) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("username", username);
    return call("POST", "/authenticator_of", Map.of(), body, null, AuthenticatorOfAnswer.class);
  }

  /**
   * Answers the next authorization request without a page: a username signs that person in, and
   * &#123; deny: true &#125; refuses the request.
   */
  public void nextSignIn() {
    nextSignIn(options -> {});
  }

  /**
   * Answers the next authorization request without a page: a username signs that person in, and
   * &#123; deny: true &#125; refuses the request.
   *
   * @param username The username of the person.
   */
  public void nextSignIn(String username) {
    nextSignIn(options -> options.username(username));
  }

  /**
   * Answers the next authorization request without a page: a username signs that person in, and
   * &#123; deny: true &#125; refuses the request.
   *
   * @param username The username of the person.
   * @param options What else it takes: each member has a method.
   */
  public void nextSignIn(String username, Consumer<NextSignInOptions> options) {
    nextSignIn(own -> options.accept(own.username(username)));
  }

  /**
   * Answers the next authorization request without a page: a username signs that person in, and
   * &#123; deny: true &#125; refuses the request.
   *
   * @param options What else it takes: each member has a method.
   */
  public void nextSignIn(Consumer<NextSignInOptions> options) {
    Map<String, Object> body = NextSignInOptions.of(options);
    call("POST", "/next_sign_in", Map.of(), body, null, Void.class);
  }

  /**
   * Registers a client as the client itself would (RFC 7591), and returns the server's response.
   * login and refresh know the client then. Default: the redirect URI http://127.0.0.1/callback,
   * and the grant types of a usual client.
   */
  public Registration register() {
    return register(options -> {});
  }

  /**
   * Registers a client as the client itself would (RFC 7591), and returns the server's response.
   * login and refresh know the client then. Default: the redirect URI http://127.0.0.1/callback,
   * and the grant types of a usual client.
   *
   * @param options What else it takes: each member has a method.
   */
  public Registration register(Consumer<RegisterOptions> options) {
    Map<String, Object> body = RegisterOptions.of(options);
    return call("POST", "/register", Map.of(), body, null, Registration.class);
  }

  /**
   * Signs a person out at the server, in the given browser or in the browser in which login got
   * these tokens.
   *
   * @param tokens The answer of a login, or the tokens of your client.
   */
  public void endSession(TokenSet tokens) {
    endSession(tokens, options -> {});
  }

  /**
   * Signs a person out at the server, in the given browser or in the browser in which login got
   * these tokens.
   *
   * @param tokens The answer of a login, or the tokens of your client.
   * @param options What else it takes: each member has a method.
   */
  public void endSession(TokenSet tokens, Consumer<EndSessionOptions> options) {
    Map<String, Object> body = EndSessionOptions.of(options);
    body.putAll(membersOf(tokens));
    call("POST", "/end_session", Map.of(), body, null, Void.class);
  }

  /**
   * Redeems a refresh token, as the client that received it.
   *
   * @param tokens The answer of a login, or the tokens of your client.
   */
  public Tokens refresh(TokenSet tokens) {
    return refresh(tokens, options -> {});
  }

  /**
   * Redeems a refresh token, as the client that received it.
   *
   * @param tokens The answer of a login, or the tokens of your client.
   * @param options What else it takes: each member has a method.
   */
  public Tokens refresh(TokenSet tokens, Consumer<RefreshOptions> options) {
    Map<String, Object> body = RefreshOptions.of(options);
    body.putAll(membersOf(tokens));
    return call("POST", "/refresh", Map.of(), body, null, Tokens.class);
  }

  /**
   * Creates the headers of a request to an API with a token that is bound to a key: authorization,
   * and dpop with a new proof. The test kit has the keys of tokens from login, refresh and mint
   * with dpop.
   *
   * @param tokens The answer of a login, or the tokens of your client.
   * @param url The URL of the request to the API.
   */
  public DpopHeaders dpopHeaders(TokenSet tokens, String url) {
    return dpopHeaders(tokens, url, options -> {});
  }

  /**
   * Creates the headers of a request to an API with a token that is bound to a key: authorization,
   * and dpop with a new proof. The test kit has the keys of tokens from login, refresh and mint
   * with dpop.
   *
   * @param tokens The answer of a login, or the tokens of your client.
   * @param url The URL of the request to the API.
   * @param options What else it takes: each member has a method.
   */
  public DpopHeaders dpopHeaders(TokenSet tokens, String url, Consumer<DpopHeadersOptions> options) {
    Map<String, Object> body = DpopHeadersOptions.of(options);
    body.putAll(membersOf(tokens));
    body.put("url", url);
    return call("POST", "/dpop_headers", Map.of(), body, null, DpopHeaders.class);
  }

  /**
   * Revokes the refresh token and with it all tokens of its grant. Without a refresh token, revokes
   * the access token.
   *
   * @param tokens The answer of a login, or the tokens of your client.
   */
  public void revoke(TokenSet tokens) {
    revoke(tokens, options -> {});
  }

  /**
   * Revokes the refresh token and with it all tokens of its grant. Without a refresh token, revokes
   * the access token.
   *
   * @param tokens The answer of a login, or the tokens of your client.
   * @param options What else it takes: each member has a method.
   */
  public void revoke(TokenSet tokens, Consumer<RevokeOptions> options) {
    Map<String, Object> body = RevokeOptions.of(options);
    body.putAll(membersOf(tokens));
    call("POST", "/revoke", Map.of(), body, null, Void.class);
  }

  /**
   * Revokes the refresh token and with it all tokens of its grant. Without a refresh token, revokes
   * the access token.
   *
   * @param token A single token.
   */
  public void revoke(String token) {
    revoke(token, options -> {});
  }

  /**
   * Revokes the refresh token and with it all tokens of its grant. Without a refresh token, revokes
   * the access token.
   *
   * @param token A single token.
   * @param options What else it takes: each member has a method.
   */
  public void revoke(String token, Consumer<RevokeOptions> options) {
    Map<String, Object> body = RevokeOptions.of(options);
    body.put("token", token);
    call("POST", "/revoke", Map.of(), body, null, Void.class);
  }

  /**
   * Replaces the signing keys. The old keys stay in the JWKS until the tokens that they signed have
   * expired. A reset restores the first keys.
   */
  public void rotateKeys() {
    rotateKeys(options -> {});
  }

  /**
   * Replaces the signing keys. The old keys stay in the JWKS until the tokens that they signed have
   * expired. A reset restores the first keys.
   *
   * @param options What else it takes: each member has a method.
   */
  public void rotateKeys(Consumer<RotateKeysOptions> options) {
    Map<String, Object> body = RotateKeysOptions.of(options);
    call("POST", "/rotate_keys", Map.of(), body, null, Void.class);
  }

  /**
   * Lets the next refresh replace a refresh token that stays the same otherwise
   * (rotateRefreshTokens: false). The old token can be sent again until the client has used the new
   * one. Has no effect if each refresh replaces the token.
   *
   * @param tokens The answer of a login, or the tokens of your client.
   */
  public void rotateRefreshToken(TokenSet tokens) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.putAll(membersOf(tokens));
    call("POST", "/rotate_refresh_token", Map.of(), body, null, Void.class);
  }

  /** Issues a valid token without a flow. The server knows it like any other token. */
  public String mint() {
    return mint(options -> {});
  }

  /**
   * Issues a valid token without a flow. The server knows it like any other token.
   *
   * @param username The person of the token. Default: the person of automatic sign-in, or the first
   * person.
   */
  public String mint(String username) {
    return mint(options -> options.username(username));
  }

  /**
   * Issues a valid token without a flow. The server knows it like any other token.
   *
   * @param username The person of the token. Default: the person of automatic sign-in, or the first
   * person.
   * @param options What else it takes: each member has a method.
   */
  public String mint(String username, Consumer<MintOptions> options) {
    return mint(own -> options.accept(own.username(username)));
  }

  /**
   * Issues a valid token without a flow. The server knows it like any other token.
   *
   * @param options What else it takes: each member has a method.
   */
  public String mint(Consumer<MintOptions> options) {
    Map<String, Object> body = MintOptions.of(options);
    return call("POST", "/mint", Map.of(), body, "token", String.class);
  }

  /**
   * Expires a token, or the access token and the ID token of a response. Returns copies that have
   * expired; the original access token ends, too. The clock and all other tokens stay as they are,
   * so the refresh token of a response stays valid.
   *
   * @param tokens The answer of a login, or the tokens of your client.
   */
  public ExpiredTokens expire(TokenSet tokens) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.putAll(membersOf(tokens));
    return call("POST", "/expire", Map.of(), body, null, ExpiredTokens.class);
  }

  /**
   * Expires a token, or the access token and the ID token of a response. Returns copies that have
   * expired; the original access token ends, too. The clock and all other tokens stay as they are,
   * so the refresh token of a response stays valid.
   *
   * @param token A single token.
   */
  public ExpiredTokens expire(String token) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("token", token);
    return call("POST", "/expire", Map.of(), body, null, ExpiredTokens.class);
  }

  /**
   * Lists the faults that a test can send one by one, and how a resource server must answer a token
   * with each fault.
   */
  public List<Forgery> listForgeries() {
    return call("GET", "/forgeries", Map.of(), null, "forgeries", List.class, Forgery.class);
  }

  /**
   * Creates an access token with exactly one fault. The result says how a resource server must
   * answer the token.
   *
   * @param name The fault of the token.
   */
  public ForgedToken forge(ForgeryName name) {
    return forge(name, options -> {});
  }

  /**
   * Creates an access token with exactly one fault. The result says how a resource server must
   * answer the token.
   *
   * @param name The fault of the token.
   * @param options What else it takes: each member has a method.
   */
  public ForgedToken forge(ForgeryName name, Consumer<ForgeOptions> options) {
    Map<String, Object> body = ForgeOptions.of(options);
    body.put("name", name);
    return call("POST", "/forge", Map.of(), body, null, ForgedToken.class);
  }

  /**
   * Issues an ID-JAG as an identity provider does, right or with one fault, and says how a server
   * must answer it.
   *
   * @param audience The issuer of the server that the ID-JAG is for.
   * @param client The id that the client has at that server.
   */
  public IdJag issueIdJag(String audience, String client) {
    return issueIdJag(audience, client, options -> {});
  }

  /**
   * Issues an ID-JAG as an identity provider does, right or with one fault, and says how a server
   * must answer it.
   *
   * @param audience The issuer of the server that the ID-JAG is for.
   * @param client The id that the client has at that server.
   * @param options What else it takes: each member has a method.
   */
  public IdJag issueIdJag(String audience, String client, Consumer<IssueIdJagOptions> options) {
    Map<String, Object> body = IssueIdJagOptions.of(options);
    body.put("audience", audience);
    body.put("client", client);
    return call("POST", "/id_jag", Map.of(), body, null, IdJag.class);
  }

  /** Returns the time of the clock and of the server. */
  public Clock showClock() {
    return call("GET", "/clock", Map.of(), null, null, Clock.class);
  }

  /**
   * Advances, sets, freezes, resumes or skews the clock: one of these at a time. The clock is only
   * Postern's. Your API reads the machine's clock: to test an expired token, send one of /expire or
   * /forge. While Postern's clock is ahead, your API may refuse new tokens, because their iat is in
   * the future.
   *
   * @param options What else it takes: each member has a method.
   */
  public Clock moveClock(Consumer<MoveClockOptions> options) {
    Map<String, Object> body = MoveClockOptions.of(options);
    return call("POST", "/clock", Map.of(), body, null, Clock.class);
  }

  /** Lists the people. */
  public List<ListedPerson> listPeople() {
    return listPeople(options -> {});
  }

  /**
   * Lists the people.
   *
   * @param options What else it takes: each member has a method.
   */
  public List<ListedPerson> listPeople(Consumer<ListPeopleOptions> options) {
    return call("GET", "/people", ListPeopleOptions.of(options), null, "people", List.class, ListedPerson.class);
  }

  /**
   * Adds a person. The members are those of the configuration file.
   *
   * @param username The name that the person signs in with.
   */
  public Person addPerson(String username) {
    return addPerson(username, options -> {});
  }

  /**
   * Adds a person. The members are those of the configuration file.
   *
   * @param username The name that the person signs in with.
   * @param options What else it takes: each member has a method.
   */
  public Person addPerson(String username, Consumer<AddPersonOptions> options) {
    Map<String, Object> body = AddPersonOptions.of(options);
    body.put("username", username);
    return call("POST", "/people", Map.of(), body, null, Person.class);
  }

  /**
   * Changes the given members of a person and keeps the others.
   *
   * @param username The person.
   * @param options What else it takes: each member has a method.
   */
  public Person changePerson(String username, Consumer<ChangePersonOptions> options) {
    Map<String, Object> body = ChangePersonOptions.of(options);
    return call("PATCH", "/people/" + Calls.part(username), Map.of(), body, null, Person.class);
  }

  /**
   * Removes a person and ends its tokens.
   *
   * @param username The person.
   */
  public void removePerson(String username) {
    call("DELETE", "/people/" + Calls.part(username), Map.of(), null, null, Void.class);
  }

  /** Lists the clients. */
  public List<ListedClient> listClients() {
    return listClients(options -> {});
  }

  /**
   * Lists the clients.
   *
   * @param options What else it takes: each member has a method.
   */
  public List<ListedClient> listClients(Consumer<ListClientsOptions> options) {
    return call("GET", "/clients", ListClientsOptions.of(options), null, "clients", List.class, ListedClient.class);
  }

  /**
   * Adds a client. The members are those of the configuration file.
   *
   * @param clientId The name of the client in its requests.
   */
  public Client addClient(String clientId) {
    return addClient(clientId, options -> {});
  }

  /**
   * Adds a client. The members are those of the configuration file.
   *
   * @param clientId The name of the client in its requests.
   * @param options What else it takes: each member has a method.
   */
  public Client addClient(String clientId, Consumer<AddClientOptions> options) {
    Map<String, Object> body = AddClientOptions.of(options);
    body.put("client_id", clientId);
    return call("POST", "/clients", Map.of(), body, null, Client.class);
  }

  /**
   * Changes the given members of a client and keeps the others.
   *
   * @param clientId The id of the client.
   * @param options What else it takes: each member has a method.
   */
  public Client changeClient(String clientId, Consumer<ChangeClientOptions> options) {
    Map<String, Object> body = ChangeClientOptions.of(options);
    return call("PATCH", "/clients/" + Calls.part(clientId), Map.of(), body, null, Client.class);
  }

  /**
   * Removes a client and ends its tokens.
   *
   * @param clientId The id of the client.
   */
  public void removeClient(String clientId) {
    call("DELETE", "/clients/" + Calls.part(clientId), Map.of(), null, null, Void.class);
  }

  /**
   * Creates the certificate of a client, valid for the clock of the server. An authority of the
   * test signs it, which the server trusts. The client shows it from then on in login, refresh and
   * revoke.
   *
   * @param client The client id, or another name.
   */
  public Certificate createCertificate(String client) {
    return createCertificate(client, options -> {});
  }

  /**
   * Creates the certificate of a client, valid for the clock of the server. An authority of the
   * test signs it, which the server trusts. The client shows it from then on in login, refresh and
   * revoke.
   *
   * @param client The client id, or another name.
   * @param options What else it takes: each member has a method.
   */
  public Certificate createCertificate(String client, Consumer<CreateCertificateOptions> options) {
    Map<String, Object> body = CreateCertificateOptions.of(options);
    body.put("client", client);
    return call("POST", "/certificates", Map.of(), body, null, Certificate.class);
  }

  /** Lists the client documents, and how often the server has fetched each one. */
  public List<ClientDocument> listClientDocuments() {
    return call("GET", "/client_documents", Map.of(), null, "client_documents", List.class, ClientDocument.class);
  }

  /**
   * Hosts the metadata document of a client, which the server fetches without a network. Login and
   * refresh know the client then.
   */
  public ClientDocument createClientDocument() {
    return createClientDocument(options -> {});
  }

  /**
   * Hosts the metadata document of a client, which the server fetches without a network. Login and
   * refresh know the client then.
   *
   * @param options What else it takes: each member has a method.
   */
  public ClientDocument createClientDocument(Consumer<CreateClientDocumentOptions> options) {
    Map<String, Object> body = CreateClientDocumentOptions.of(options);
    return call("POST", "/client_documents", Map.of(), body, null, ClientDocument.class);
  }

  /**
   * Changes members of a client document, or answers with something else instead. The server
   * fetches the document again at its next use.
   *
   * @param document The id of the document.
   * @param options What else it takes: each member has a method.
   */
  public ClientDocument changeClientDocument(String document, Consumer<ChangeClientDocumentOptions> options) {
    Map<String, Object> body = ChangeClientDocumentOptions.of(options);
    return call("PATCH", "/client_documents/" + Calls.part(document), Map.of(), body, null, ClientDocument.class);
  }

  /** Lists the APIs, and how many requests to each one are recorded. */
  public List<Resource> listResources() {
    return call("GET", "/resources", Map.of(), null, "resources", List.class, Resource.class);
  }

  /**
   * Creates an API that accepts tokens of this server, publishes its metadata (RFC 9728) and
   * records its requests. At a path, this server answers for the API: clients call it with an
   * access token, and without the token of the control plane. At another URL, your program answers,
   * and asks guard about each request.
   *
   * @param url A path at the origin of the issuer, for example /orders, or the URL of an API of
   * your own.
   */
  public Resource createResource(String url) {
    return createResource(url, options -> {});
  }

  /**
   * Creates an API that accepts tokens of this server, publishes its metadata (RFC 9728) and
   * records its requests. At a path, this server answers for the API: clients call it with an
   * access token, and without the token of the control plane. At another URL, your program answers,
   * and asks guard about each request.
   *
   * @param url A path at the origin of the issuer, for example /orders, or the URL of an API of
   * your own.
   * @param options What else it takes: each member has a method.
   */
  public Resource createResource(String url, Consumer<CreateResourceOptions> options) {
    Map<String, Object> body = CreateResourceOptions.of(options);
    body.put("url", url);
    return call("POST", "/resources", Map.of(), body, null, Resource.class);
  }

  /**
   * Returns the API with its terms.
   *
   * @param resource The id of the resource.
   */
  public Resource showResource(String resource) {
    return call("GET", "/resources/" + Calls.part(resource), Map.of(), null, null, Resource.class);
  }

  /**
   * Changes what the API requires, publishes and answers. Terms that are left out stay.
   *
   * @param resource The id of the resource.
   * @param options What else it takes: each member has a method.
   */
  public Resource changeResource(String resource, Consumer<ChangeResourceOptions> options) {
    Map<String, Object> body = ChangeResourceOptions.of(options);
    return call("PATCH", "/resources/" + Calls.part(resource), Map.of(), body, null, Resource.class);
  }

  /**
   * Removes the API. Its address answers 404 then.
   *
   * @param resource The id of the resource.
   */
  public void removeResource(String resource) {
    call("DELETE", "/resources/" + Calls.part(resource), Map.of(), null, null, Void.class);
  }

  /**
   * Lists the recorded requests to the API, also those that guard has checked. If none matches,
   * wait says how long the call waits for one.
   *
   * @param resource The id of the resource.
   */
  public RequestList listResourceRequests(String resource) {
    return listResourceRequests(resource, options -> {});
  }

  /**
   * Lists the recorded requests to the API, also those that guard has checked. If none matches,
   * wait says how long the call waits for one.
   *
   * @param resource The id of the resource.
   * @param options What else it takes: each member has a method.
   */
  public RequestList listResourceRequests(String resource, Consumer<ListResourceRequestsOptions> options) {
    return call("GET", "/resources/" + Calls.part(resource) + "/requests", ListResourceRequestsOptions.of(options), null, null, RequestList.class);
  }

  /**
   * Checks a request that has come to an API of your own. Returns the claims of its token, or the
   * response to send: a refusal with its challenge, the metadata, or the answer to a CORS
   * preflight.
   *
   * @param resource The id of the resource.
   */
  public GuardedRequest guardResource(String resource) {
    return guardResource(resource, options -> {});
  }

  /**
   * Checks a request that has come to an API of your own. Returns the claims of its token, or the
   * response to send: a refusal with its challenge, the metadata, or the answer to a CORS
   * preflight.
   *
   * @param resource The id of the resource.
   * @param options What else it takes: each member has a method.
   */
  public GuardedRequest guardResource(String resource, Consumer<GuardResourceOptions> options) {
    Map<String, Object> body = GuardResourceOptions.of(options);
    return call("POST", "/resources/" + Calls.part(resource) + "/guard", Map.of(), body, null, GuardedRequest.class);
  }

  /** Lists the addresses that callers have added. */
  public List<OtherAddress> listRoutes() {
    return call("GET", "/routes", Map.of(), null, "routes", List.class, OtherAddress.class);
  }

  /**
   * Answers one method at one URL that neither the server nor its look-alike has, until a reset. It
   * checks no token, and the journal has its requests.
   *
   * @param route The method and the URL: "GET https://api.github.com/user/orgs". A path instead of
   * the URL is at the origin of the issuer. At the hosts of a look-alike, programs behind the proxy
   * reach it.
   */
  public OtherAddress createRoute(String route) {
    return createRoute(route, options -> {});
  }

  /**
   * Answers one method at one URL that neither the server nor its look-alike has, until a reset. It
   * checks no token, and the journal has its requests.
   *
   * @param route The method and the URL: "GET https://api.github.com/user/orgs". A path instead of
   * the URL is at the origin of the issuer. At the hosts of a look-alike, programs behind the proxy
   * reach it.
   * @param options What else it takes: each member has a method.
   */
  public OtherAddress createRoute(String route, Consumer<CreateRouteOptions> options) {
    Map<String, Object> body = CreateRouteOptions.of(options);
    body.put("route", route);
    return call("POST", "/routes", Map.of(), body, null, OtherAddress.class);
  }

  /**
   * Removes the address.
   *
   * @param route The id of the route.
   */
  public void removeRoute(String route) {
    call("DELETE", "/routes/" + Calls.part(route), Map.of(), null, null, Void.class);
  }

  /**
   * Lists the recorded requests. If none matches, wait says how long the call waits for one. The
   * times are those of Postern's clock.
   */
  public RequestList listRequests() {
    return listRequests(options -> {});
  }

  /**
   * Lists the recorded requests. If none matches, wait says how long the call waits for one. The
   * times are those of Postern's clock.
   *
   * @param options What else it takes: each member has a method.
   */
  public RequestList listRequests(Consumer<ListRequestsOptions> options) {
    return call("GET", "/requests", ListRequestsOptions.of(options), null, null, RequestList.class);
  }

  /**
   * Returns the timeline without secrets, as text, JSON lines, a HAR file, a Mermaid diagram, or
   * one HTML file that explains each request.
   */
  public String showTimeline() {
    return showTimeline(options -> {});
  }

  /**
   * Returns the timeline without secrets, as text, JSON lines, a HAR file, a Mermaid diagram, or
   * one HTML file that explains each request.
   *
   * @param options What else it takes: each member has a method.
   */
  public String showTimeline(Consumer<ShowTimelineOptions> options) {
    return call("GET", "/timeline", ShowTimelineOptions.of(options), null, null);
  }

  /**
   * Explains the last refusal and the last advice since the start or a reset, even if later
   * requests succeeded: the rule, what was expected, and what was received. The line earlier has
   * the first refusal since the last success, such as a login or a token response, because it may
   * be the cause. An advice says which rule an accepted request broke, or why a token is inactive.
   *
   * @return null if there is none
   */
  public String explain() {
    return call("GET", "/explain", Map.of(), null, "explanation", String.class);
  }

  /** Lists the gates, delays, failures and drops. */
  public List<Gate> listGates() {
    return call("GET", "/gates", Map.of(), null, "gates", List.class, Gate.class);
  }

  /**
   * Holds or delays the requests to an endpoint, lets them fail before the server handles them, or
   * drops their responses afterwards.
   *
   * @param endpoint The endpoint. page: the pages, their files, preflights, and paths that the
   * server does not know.
   * @param kind hold: requests wait for a release. delay: requests wait for a time. fail: requests
   * get an error before the server handles them. drop: the server handles the requests, and the
   * responses are lost.
   */
  public Gate createGate(EndpointName endpoint, GateKind kind) {
    return createGate(endpoint, kind, options -> {});
  }

  /**
   * Holds or delays the requests to an endpoint, lets them fail before the server handles them, or
   * drops their responses afterwards.
   *
   * @param endpoint The endpoint. page: the pages, their files, preflights, and paths that the
   * server does not know.
   * @param kind hold: requests wait for a release. delay: requests wait for a time. fail: requests
   * get an error before the server handles them. drop: the server handles the requests, and the
   * responses are lost.
   * @param options What else it takes: each member has a method.
   */
  public Gate createGate(EndpointName endpoint, GateKind kind, Consumer<CreateGateOptions> options) {
    Map<String, Object> body = CreateGateOptions.of(options);
    body.put("endpoint", endpoint);
    body.put("kind", kind);
    return call("POST", "/gates", Map.of(), body, null, Gate.class);
  }

  /**
   * Returns the gate. With arrived and wait, the call waits until so many requests have come to the
   * gate. arrived in the answer is true if they have.
   *
   * @param gate The id of the gate.
   */
  public WatchedGate watchGate(String gate) {
    return watchGate(gate, options -> {});
  }

  /**
   * Returns the gate. With arrived and wait, the call waits until so many requests have come to the
   * gate. arrived in the answer is true if they have.
   *
   * @param gate The id of the gate.
   * @param options What else it takes: each member has a method.
   */
  public WatchedGate watchGate(String gate, Consumer<WatchGateOptions> options) {
    return call("GET", "/gates/" + Calls.part(gate), WatchGateOptions.of(options), null, null, WatchedGate.class);
  }

  /**
   * Releases one request, or all waiting requests and all later ones.
   *
   * @param gate The id of the gate.
   */
  public void releaseGate(String gate) {
    releaseGate(gate, options -> {});
  }

  /**
   * Releases one request, or all waiting requests and all later ones.
   *
   * @param gate The id of the gate.
   * @param options What else it takes: each member has a method.
   */
  public void releaseGate(String gate, Consumer<ReleaseGateOptions> options) {
    Map<String, Object> body = ReleaseGateOptions.of(options);
    call("POST", "/gates/" + Calls.part(gate) + "/release", Map.of(), body, null, Void.class);
  }

  /**
   * Removes the gate and releases the waiting requests.
   *
   * @param gate The id of the gate.
   */
  public void removeGate(String gate) {
    call("DELETE", "/gates/" + Calls.part(gate), Map.of(), null, null, Void.class);
  }

  /** Lists the hooks, and how often each was used. */
  public List<Hook> listHooks() {
    return call("GET", "/hooks", Map.of(), null, "hooks", List.class, Hook.class);
  }

  /**
   * Adds a hook that applies a JSON merge patch (RFC 7396) to a value before the server sends it.
   *
   * @param name The value to change.
   * @param patch The members to change. null removes a member.
   */
  public Hook createHook(HookName name, Map<String, ?> patch) {
    return createHook(name, patch, options -> {});
  }

  /**
   * Adds a hook that applies a JSON merge patch (RFC 7396) to a value before the server sends it.
   *
   * @param name The value to change.
   * @param patch The members to change. null removes a member.
   * @param options What else it takes: each member has a method.
   */
  public Hook createHook(HookName name, Map<String, ?> patch, Consumer<CreateHookOptions> options) {
    Map<String, Object> body = CreateHookOptions.of(options);
    body.put("name", name);
    body.put("patch", patch);
    return call("POST", "/hooks", Map.of(), body, null, Hook.class);
  }

  /**
   * Removes the hook. It no longer changes values.
   *
   * @param hook The id of the hook.
   */
  public void removeHook(String hook) {
    call("DELETE", "/hooks/" + Calls.part(hook), Map.of(), null, null, Void.class);
  }

  /** Lists the ways in which the server can be wrong. */
  public List<Misbehaviour> listCatalogue() {
    return listCatalogue(options -> {});
  }

  /**
   * Lists the ways in which the server can be wrong.
   *
   * @param options What else it takes: each member has a method.
   */
  public List<Misbehaviour> listCatalogue(Consumer<ListCatalogueOptions> options) {
    return call("GET", "/misbehaviours/catalogue", ListCatalogueOptions.of(options), null, "misbehaviours", List.class, Misbehaviour.class);
  }

  /** Lists the misbehaviours that are on, with their verdicts. Includes those of --misbehave. */
  public List<ActiveMisbehaviour> listMisbehaviours() {
    return call("GET", "/misbehaviours", Map.of(), null, "misbehaviours", List.class, ActiveMisbehaviour.class);
  }

  /**
   * Makes the server wrong until the misbehaviour is removed, or until a reset.
   *
   * @param name A name of the catalogue.
   */
  public ActiveMisbehaviour createMisbehaviour(MisbehaviourName name) {
    return createMisbehaviour(name, options -> {});
  }

  /**
   * Makes the server wrong until the misbehaviour is removed, or until a reset.
   *
   * @param name A name of the catalogue.
   * @param options What else it takes: each member has a method.
   */
  public ActiveMisbehaviour createMisbehaviour(MisbehaviourName name, Consumer<CreateMisbehaviourOptions> options) {
    Map<String, Object> body = CreateMisbehaviourOptions.of(options);
    body.put("name", name);
    return call("POST", "/misbehaviours", Map.of(), body, null, ActiveMisbehaviour.class);
  }

  /**
   * Returns the misbehaviour. Its verdict is pending until it is settled.
   *
   * @param misbehaviour The id of the misbehaviour.
   */
  public ActiveMisbehaviour showMisbehaviour(String misbehaviour) {
    return call("GET", "/misbehaviours/" + Calls.part(misbehaviour), Map.of(), null, null, ActiveMisbehaviour.class);
  }

  /**
   * Says that the client's run is over, and returns the verdict. Later calls return the same
   * verdict. The misbehaviour stays on until it is removed.
   *
   * @param misbehaviour The id of the misbehaviour.
   */
  public MisbehaviourVerdict settleMisbehaviour(String misbehaviour) {
    return settleMisbehaviour(misbehaviour, options -> {});
  }

  /**
   * Says that the client's run is over, and returns the verdict. Later calls return the same
   * verdict. The misbehaviour stays on until it is removed.
   *
   * @param misbehaviour The id of the misbehaviour.
   * @param options What else it takes: each member has a method.
   */
  public MisbehaviourVerdict settleMisbehaviour(String misbehaviour, Consumer<SettleMisbehaviourOptions> options) {
    Map<String, Object> body = SettleMisbehaviourOptions.of(options);
    return call("POST", "/misbehaviours/" + Calls.part(misbehaviour) + "/settle", Map.of(), body, null, MisbehaviourVerdict.class);
  }

  /**
   * Switches the misbehaviour off.
   *
   * @param misbehaviour The id of the misbehaviour.
   */
  public void removeMisbehaviour(String misbehaviour) {
    call("DELETE", "/misbehaviours/" + Calls.part(misbehaviour), Map.of(), null, null, Void.class);
  }

  /** Lists the look-alikes that are on. */
  public List<LookAlike> listLookAlikes() {
    return call("GET", "/look_alikes", Map.of(), null, "look_alikes", List.class, LookAlike.class);
  }

  /**
   * Makes the server answer as a well-known provider does where the provider differs from the
   * standards, until the look-alike is removed, or until a reset.
   *
   * @param name The provider.
   */
  public LookAlike createLookAlike(LookAlikeName name) {
    return createLookAlike(name, options -> {});
  }

  /**
   * Makes the server answer as a well-known provider does where the provider differs from the
   * standards, until the look-alike is removed, or until a reset.
   *
   * @param name The provider.
   * @param options What else it takes: each member has a method.
   */
  public LookAlike createLookAlike(LookAlikeName name, Consumer<CreateLookAlikeOptions> options) {
    Map<String, Object> body = CreateLookAlikeOptions.of(options);
    body.put("name", name);
    return call("POST", "/look_alikes", Map.of(), body, null, LookAlike.class);
  }

  /**
   * Switches the look-alike off.
   *
   * @param lookAlike The id of the look alike.
   */
  public void removeLookAlike(String lookAlike) {
    call("DELETE", "/look_alikes/" + Calls.part(lookAlike), Map.of(), null, null, Void.class);
  }

  /** Returns the environment variables that configure an application for this server. */
  public Map<String, String> describeEnvironment() {
    return describeEnvironment(options -> {});
  }

  /**
   * Returns the environment variables that configure an application for this server.
   *
   * @param options What else it takes: each member has a method.
   */
  public Map<String, String> describeEnvironment(Consumer<DescribeEnvironmentOptions> options) {
    return call("GET", "/env", DescribeEnvironmentOptions.of(options), null, null, Map.class, String.class);
  }

  /**
   * Returns the issuer, and the path of the OpenAPI document. A browser gets a page of all calls
   * instead.
   */
  public Server showServer() {
    return call("GET", "", Map.of(), null, null, Server.class);
  }

  /**
   * Restores the initial state of records, people, clients, clock, journal, hooks, gates,
   * misbehaviours and look-alikes, and removes client documents and APIs. A reset of the server
   * itself also removes its tenants. With --store, a reset deletes the records in the store, and
   * keeps the signing keys. With --people, it keeps the people of the server. A request of another
   * program that it cuts short gets 503 with Retry-After.
   */
  public void reset() {
    call("POST", "/reset", Map.of(), null, null, Void.class);
  }
}
