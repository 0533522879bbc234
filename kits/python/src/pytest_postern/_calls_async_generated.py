"""The same as the module without "async" in its name, for asyncio.

``deno task kits`` makes this file from the rows of the control plane: do not edit it.
"""

from __future__ import annotations

from typing import Any, Literal

from ._http import Connection
from ._json import NOT_GIVEN, NotGiven, TokensLike, decode, nullable, part, token_members
from ._types_generated import (
    ActiveMisbehaviour,
    AuthenticatorOfAnswer,
    Callback,
    Certificate,
    Client,
    ClientApplicationType,
    ClientAssertionAudience,
    ClientDocument,
    ClientJwks,
    ClientOauthVersion,
    ClientProfile,
    ClientRequestObjectTimes,
    ClientSecretBasic,
    ClientSubjectType,
    ClientTokenExchange,
    Clock,
    ContentEncryption,
    DocumentAnswer,
    DpopHeaders,
    Duration,
    EndpointName,
    ExpiredTokens,
    ForgedToken,
    Forgery,
    ForgeryName,
    Gate,
    GateKind,
    GuardedRequest,
    Hook,
    HookName,
    IdJag,
    IdJagFault,
    Json,
    KeyEncryption,
    Level,
    ListedClient,
    ListedPerson,
    LoginResult,
    LookAlike,
    LookAlikeName,
    Misbehaviour,
    MisbehaviourArea,
    MisbehaviourName,
    MisbehaviourVerdict,
    Moment,
    OtherAddress,
    Person,
    Registration,
    RequestList,
    Resource,
    ResourceAnswer,
    ResourceChallenge,
    ResourceDpop,
    ResourceRule,
    ResponseMode,
    SecondFactor,
    SecondFactorKind,
    Server,
    SigningAlgorithm,
    Snapshot,
    TimelineForm,
    TokenKind,
    Tokens,
    WatchedGate,
    WorkloadPlatform,
    WorkloadToken,
)

# The report of a failed test shows the line of the test, and not the members of a call.
__tracebackhide__ = True


class AsyncCalls:
    """The calls that a server and a tenant have."""

    connection: Connection
    """Where the control plane is, and the key for it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    async def send(
        self,
        method: str,
        path: str,
        *,
        query: Json | None = None,
        body: Json | None = None,
        as_text: bool = False,
    ) -> Any:
        """Sends any call of the control plane, also one that this class has no method for."""
        return await self.connection.send_async(method, path, query, body, as_text)

    async def login(
        self,
        username: str | None = None,
        *,
        client: str | None = None,
        redirect_uri: str | None = None,
        scope: str | list[str] | None = None,
        resource: str | list[str] | None = None,
        authorization_details: list[Json] | None = None,
        prompt: str | None = None,
        nonce: str | None = None,
        response_mode: ResponseMode | None = None,
        pushed: bool | None = None,
        signed: bool | None = None,
        client_key: Json | None = None,
        decryption_key: Json | None = None,
        dpop: bool | Json | None = None,
        device: bool | None = None,
        params: dict[str, str] | None = None,
        deny: bool | None = None,
        second_factor: bool | str | None = None,
        browser: str | None = None,
    ) -> Tokens:
        """Runs a whole flow with PKCE: the person signs in and approves, and the client gets its
        tokens.

        Args:
            username: Default: the person of automatic sign-in, or the first person.
            client: The client id. Default: the first client that people can sign in to, or that
                may be a device.
            redirect_uri: Where the authorization response goes. Default: the first redirect URI
                of the client.
            scope: The scopes to request: names separated by single spaces, or a list of names.
                Default: the scope of the client, or openid profile email offline_access.
            resource: The resource (API) that the token is for, or a list of resources.
            authorization_details: What the client wants to do in detail (RFC 9396): objects of
                the configured types.
            prompt: The parameter prompt of the authorization request, such as none or login.
            nonce: The value of the claim nonce in the ID token.
            response_mode: How the authorization response comes: jwt, query.jwt and fragment.jwt
                are signed JWTs, whose signature, issuer, audience and time the test kit checks
                (JARM). Default: query.
            pushed: True: the client pushes its request (RFC 9126). Default: only if the server
                or the client requires it.
            signed: True: the client signs its request with client_key (RFC 9101). Default: only
                if the server or the client requires it.
            client_key: The private JWK of a client that authenticates with private_key_jwt, or
                signs its requests.
            decryption_key: The private JWK of a client whose authorization responses or ID
                tokens are encrypted (JARM §2.2, OpenID Connect Core §10.2).
            dpop: True: the client binds its tokens to a new key by DPoP. A private JWK is the
                key. Default: True for a client with dpop_bound_access_tokens, and otherwise bearer
                tokens.
            device: True: the client is a device, which shows a code that the person types into
                a page (RFC 8628). Default: a code flow with PKCE.
            params: More parameters of the authorization request, such as login_hint.
            deny: True: the person denies the request, and the client receives access_denied.
            second_factor: The second factor: True proves it without a code, also if the request
                does not need it; a text is the code that the person types; False gives none.
                Default: True if the request needs it.
            browser: Any name for a browser. A person who signs in with this browser stays
                signed in.
        """
        answer = await self.send(
            "POST",
            "/login",
            body={
                "username": username,
                "client": client,
                "redirectUri": redirect_uri,
                "scope": scope,
                "resource": resource,
                "authorizationDetails": authorization_details,
                "prompt": prompt,
                "nonce": nonce,
                "responseMode": response_mode,
                "pushed": pushed,
                "signed": signed,
                "clientKey": client_key,
                "decryptionKey": decryption_key,
                "dpop": dpop,
                "device": device,
                "params": params,
                "deny": deny,
                "secondFactor": second_factor,
                "browser": browser,
            },
        )
        return decode(Tokens, answer)

    async def authorize(
        self,
        url: str,
        *,
        username: str | None = None,
        deny: bool | None = None,
        second_factor: bool | str | None = None,
        browser: str | None = None,
    ) -> Callback:
        """Opens a client's authorization URL as a browser would. Returns the request that the
        client gets.

        Args:
            url: The absolute URL to which the client sends the browser.
            username: The username. Default: the person of next_sign_in, the person signed in at
                browser, the person of automatic sign-in, or the first person.
            deny: True: the person denies the request, and the client receives access_denied.
            second_factor: The second factor: True proves it without a code, also if the request
                does not need it; a text is the code that the person types; False gives none.
                Default: True if the request needs it.
            browser: Any name for a browser. A person who signs in with this browser stays
                signed in.
        """
        answer = await self.send(
            "POST",
            "/authorize",
            body={
                "url": url,
                "username": username,
                "deny": deny,
                "secondFactor": second_factor,
                "browser": browser,
            },
        )
        return decode(Callback, answer)

    async def approve_device(
        self,
        user_code: str,
        *,
        username: str | None = None,
        deny: bool | None = None,
        browser: str | None = None,
    ) -> None:
        """Answers a device login as the person who types its code: approves it, or denies it.

        Args:
            user_code: The user_code that the device shows, in any case, with or without its
                dash.
            username: Default: the person of automatic sign-in, or the first person.
            deny: True: the person denies the login, and the device receives access_denied.
            browser: Any name for a browser. A person who signs in with this browser stays
                signed in.
        """
        await self.send(
            "POST",
            "/approve_device",
            body={
                "userCode": user_code,
                "username": username,
                "deny": deny,
                "browser": browser,
            },
        )

    async def code_of(
        self,
        username: str,
    ) -> str:
        """Resolves to the code of a person's second factor that the server accepts next. Each code
        works once. After one, it is the code of the next 30 seconds, and then the clock must
        advance.

        Args:
            username: The username of the person.
        """
        answer = await self.send(
            "POST",
            "/code_of",
            body={
                "username": username,
            },
        )
        return decode(str, answer["code"])

    async def authenticator_of(
        self,
        username: str,
    ) -> AuthenticatorOfAnswer:
        """Resolves to what an authenticator app needs to make the codes of a person.

        Args:
            username: The username of the person.
        """
        answer = await self.send(
            "POST",
            "/authenticator_of",
            body={
                "username": username,
            },
        )
        return decode(AuthenticatorOfAnswer, answer)

    async def next_sign_in(
        self,
        username: str | None = None,
        *,
        deny: bool | None = None,
        client: str | None = None,
    ) -> None:
        """Answers the next authorization request without a page: a username signs that person in,
        and {"deny": True} refuses the request.

        Args:
            username: The username of the person.
            deny: True: the person denies the request.
            client: The client of the request. Default: any client.
        """
        await self.send(
            "POST",
            "/next_sign_in",
            body={
                "username": username,
                "deny": deny,
                "client": client,
            },
        )

    async def register(
        self,
        *,
        metadata: Json | None = None,
        initial_access_token: str | None = None,
    ) -> Registration:
        """Registers a client as the client itself would (RFC 7591), and returns the server's
        response. login and refresh know the client then. Default: the redirect URI
        http://127.0.0.1/callback, and the grant types of a usual client.

        Args:
            metadata: The metadata of the client. Default: the redirect URI
                http://127.0.0.1/callback, and the grant types of a usual client.
            initial_access_token: One of registration.initialAccessTokens of the configuration.
        """
        answer = await self.send(
            "POST",
            "/register",
            body={
                "metadata": metadata,
                "initialAccessToken": initial_access_token,
            },
        )
        return decode(Registration, answer)

    async def end_session(
        self,
        tokens: TokensLike,
        *,
        browser: str | None = None,
    ) -> None:
        """Signs a person out at the server, in the given browser or in the browser in which login
        got these tokens.

        Args:
            tokens: The answer of a login, or the tokens of your client.
            browser: The name of a browser that login or authorize has used.
        """
        await self.send(
            "POST",
            "/end_session",
            body={
                **token_members(tokens),
                "browser": browser,
            },
        )

    async def refresh(
        self,
        tokens: TokensLike,
        *,
        scope: str | list[str] | None = None,
        resource: str | list[str] | None = None,
        authorization_details: list[Json] | None = None,
        client: str | None = None,
        client_key: Json | None = None,
        dpop: bool | Json | None = None,
    ) -> Tokens:
        """Redeems a refresh token, as the client that received it.

        Args:
            tokens: The answer of a login, or the tokens of your client.
            scope: The granted scope or a part of it: names separated by single spaces, or a
                list of names.
            resource: The resource (API) that the new token is for, or a list of resources.
            authorization_details: What the new access token is for (RFC 9396 §6): objects that
                were granted. Default: all of them.
            client: The client id. Default: the client that received the token, if the test kit
                or the server knows the token.
            client_key: The private JWK of a client that authenticates with private_key_jwt.
            dpop: The private JWK for the DPoP proof, or True for a new key if the tokens are
                not bound to one. False sends no proof. Default: the key that the tokens are bound
                to.
        """
        answer = await self.send(
            "POST",
            "/refresh",
            body={
                **token_members(tokens),
                "scope": scope,
                "resource": resource,
                "authorizationDetails": authorization_details,
                "client": client,
                "clientKey": client_key,
                "dpop": dpop,
            },
        )
        return decode(Tokens, answer)

    async def dpop_headers(
        self,
        tokens: TokensLike,
        url: str,
        *,
        method: str | None = None,
        nonce: str | None = None,
        dpop: Literal[True] | Json | None = None,
        claims: Json | None = None,
    ) -> DpopHeaders:
        """Creates the headers of a request to an API with a token that is bound to a key:
        authorization, and dpop with a new proof. The test kit has the keys of tokens from login,
        refresh and mint with dpop.

        Args:
            tokens: The answer of a login, or the tokens of your client.
            url: The URL of the request to the API.
            method: The method of the request to the API. Default: GET.
            nonce: The nonce from the header DPoP-Nonce of the API.
            dpop: The private JWK, or True for a key that the token is not bound to. Default:
                the key of the token.
            claims: Claims that are added to the proof or replace its claims, to test an API.
        """
        answer = await self.send(
            "POST",
            "/dpop_headers",
            body={
                **token_members(tokens),
                "url": url,
                "method": method,
                "nonce": nonce,
                "dpop": dpop,
                "claims": claims,
            },
        )
        return decode(DpopHeaders, answer)

    async def revoke(
        self,
        tokens: TokensLike | str,
        *,
        client: str | None = None,
        client_key: Json | None = None,
    ) -> None:
        """Revokes the refresh token and with it all tokens of its grant. Without a refresh token,
        revokes the access token.

        Args:
            tokens: The answer of a login, or the tokens of your client, or a single token.
            client: The client id. Default: the client that received the token, if the test kit
                or the server knows the token.
            client_key: The private JWK of a client that authenticates with private_key_jwt.
        """
        await self.send(
            "POST",
            "/revoke",
            body={
                **token_members(tokens),
                "client": client,
                "clientKey": client_key,
            },
        )

    async def rotate_keys(
        self,
        *,
        at_once: bool | None = None,
    ) -> None:
        """Replaces the signing keys. The old keys stay in the JWKS until the tokens that they
        signed have expired. A reset restores the first keys.

        Args:
            at_once: True: the new keys sign immediately, so a client that caches the JWKS meets
                an unknown kid. False: the new keys are published now and sign 130 seconds later,
                when caches have them. Default: True.
        """
        await self.send(
            "POST",
            "/rotate_keys",
            body={
                "atOnce": at_once,
            },
        )

    async def rotate_refresh_token(
        self,
        tokens: TokensLike,
    ) -> None:
        """Lets the next refresh replace a refresh token that stays the same otherwise
        (rotate_refresh_tokens: False). The old token can be sent again until the client has used
        the new one. Has no effect if each refresh replaces the token.

        Args:
            tokens: The answer of a login, or the tokens of your client.
        """
        await self.send(
            "POST",
            "/rotate_refresh_token",
            body={
                **token_members(tokens),
            },
        )

    async def mint(
        self,
        username: str | None = None,
        *,
        kind: TokenKind | None = None,
        client: str | None = None,
        scope: str | list[str] | None = None,
        resource: str | list[str] | None = None,
        claims: Json | None = None,
        nonce: str | None = None,
        expires_in: Duration | None = None,
        without_person: bool | None = None,
        dpop: bool | Json | None = None,
    ) -> str:
        """Issues a valid token without a flow. The server knows it like any other token.

        Args:
            username: The person of the token. Default: the person of automatic sign-in, or the
                first person.
            kind: The kind of token. Default: an access token.
            client: The client id. Default: the first client that people can sign in to, or for
                without_person the first confidential one.
            scope: The scope of the token: names separated by single spaces, or a list of names.
                Default: the scope of the client, or for a person openid profile email
                offline_access.
            resource: The audience of an access token. Default: the only configured resource, or
                the issuer if none is configured.
            claims: Claims that are added to the default claims or replace them. A refresh token
                has none.
            nonce: The claim nonce of an ID token.
            expires_in: How long the token is valid. Default: the configured lifetime of this
                kind. For a refresh token, at most lifetimes.refreshIdle. A number of seconds, or
                text such as "90s", "2h", "1d 3h", "250ms", "1.5h" or "-5m".
            without_person: True: a token for the client itself, as from the grant type
                client_credentials.
            dpop: True: the token is bound to a new key by DPoP. A private JWK is the key.
                False: it is not bound. Default: True for a client with dpop_bound_access_tokens,
                and otherwise a bearer token. For a client with
                tls_client_certificate_bound_access_tokens, this one is bound to the certificate
                that the test has created.
        """
        answer = await self.send(
            "POST",
            "/mint",
            body={
                "kind": kind,
                "username": username,
                "client": client,
                "scope": scope,
                "resource": resource,
                "claims": claims,
                "nonce": nonce,
                "expiresIn": expires_in,
                "withoutPerson": without_person,
                "dpop": dpop,
            },
        )
        return decode(str, answer["token"])

    async def expire(
        self,
        tokens: TokensLike | str,
    ) -> ExpiredTokens:
        """Expires a token, or the access token and the ID token of a response. Returns copies that
        have expired; the original access token ends, too. The clock and all other tokens stay as
        they are, so the refresh token of a response stays valid.

        Args:
            tokens: The answer of a login, or the tokens of your client, or a single token.
        """
        answer = await self.send(
            "POST",
            "/expire",
            body={
                **token_members(tokens),
            },
        )
        return decode(ExpiredTokens, answer)

    async def list_forgeries(
        self,
    ) -> list[Forgery]:
        """Lists the faults that a test can send one by one, and how a resource server must answer a
        token with each fault.
        """
        answer = await self.send(
            "GET",
            "/forgeries",
        )
        return decode(list[Forgery], answer["forgeries"])

    async def forge(
        self,
        name: ForgeryName,
        *,
        username: str | None = None,
        client: str | None = None,
        scope: str | list[str] | None = None,
        resource: str | list[str] | None = None,
        claims: Json | None = None,
        nonce: str | None = None,
        expires_in: Duration | None = None,
        without_person: bool | None = None,
        dpop: bool | Json | None = None,
        variant: str | None = None,
    ) -> ForgedToken:
        """Creates an access token with exactly one fault. The result says how a resource server
        must answer the token.

        Args:
            name: The fault of the token.
            username: The person of the token. Default: the person of automatic sign-in, or the
                first person.
            client: The client id. Default: the first client that people can sign in to, or for
                without_person the first confidential one.
            scope: The scope of the token: names separated by single spaces, or a list of names.
                Default: the scope of the client, or for a person openid profile email
                offline_access.
            resource: The audience of an access token. Default: the only configured resource, or
                the issuer if none is configured.
            claims: Claims that are added to the default claims or replace them. A refresh token
                has none.
            nonce: The claim nonce of an ID token.
            expires_in: How long the token is valid. Default: the configured lifetime of this
                kind. For a refresh token, at most lifetimes.refreshIdle. A number of seconds, or
                text such as "90s", "2h", "1d 3h", "250ms", "1.5h" or "-5m".
            without_person: True: a token for the client itself, as from the grant type
                client_credentials.
            dpop: True: the token is bound to a new key by DPoP. A private JWK is the key.
                False: it is not bound. Default: True for a client with dpop_bound_access_tokens,
                and otherwise a bearer token. For a client with
                tls_client_certificate_bound_access_tokens, this one is bound to the certificate
                that the test has created.
            variant: The variant of the fault, if it has several. Default: the first.
        """
        answer = await self.send(
            "POST",
            "/forge",
            body={
                "name": name,
                "username": username,
                "client": client,
                "scope": scope,
                "resource": resource,
                "claims": claims,
                "nonce": nonce,
                "expiresIn": expires_in,
                "withoutPerson": without_person,
                "dpop": dpop,
                "variant": variant,
            },
        )
        return decode(ForgedToken, answer)

    async def issue_id_jag(
        self,
        audience: str,
        client: str,
        *,
        username: str | None = None,
        scope: str | list[str] | None = None,
        resource: str | list[str] | None = None,
        claims: Json | None = None,
        fault: IdJagFault | None = None,
    ) -> IdJag:
        """Issues an ID-JAG as an identity provider does, right or with one fault, and says how a
        server must answer it.

        Args:
            audience: The issuer of the server that the ID-JAG is for.
            client: The id that the client has at that server.
            username: The person of the ID-JAG. Default: the person of automatic sign-in, or the
                first person.
            scope: The scopes of the ID-JAG.
            resource: The resource (API) that the ID-JAG is for, or a list of resources.
            claims: Claims that are added to the default claims or replace them.
            fault: What is wrong with the ID-JAG. Default: nothing.
        """
        answer = await self.send(
            "POST",
            "/id_jag",
            body={
                "audience": audience,
                "client": client,
                "username": username,
                "scope": scope,
                "resource": resource,
                "claims": claims,
                "fault": fault,
            },
        )
        return decode(IdJag, answer)

    async def show_clock(
        self,
    ) -> Clock:
        """Returns the time of the clock and of the server."""
        answer = await self.send(
            "GET",
            "/clock",
        )
        return decode(Clock, answer)

    async def move_clock(
        self,
        *,
        advance: Duration | None = None,
        set: Moment | None = None,
        freeze: bool | float | str | None = None,
        resume: Literal[True] | None = None,
        skew: Duration | None = None,
    ) -> Clock:
        """Advances, sets, freezes, resumes or skews the clock: one of these at a time. The clock is
        only Postern's. Your API reads the machine's clock: to test an expired token, send one of
        /expire or /forge. While Postern's clock is ahead, your API may refuse new tokens,
        because their iat is in the future.

        Args:
            advance: Moves the clock forward. Seconds as a number, or text with the units d, h,
                m, s and ms: "90s", "1d 3h".
            set: Moves the clock to a time. Seconds since 1970 as a number, or ISO text with a
                time zone: "2030-01-01T12:00:00Z".
            freeze: Stops the clock: True for the current time, or another time. Seconds since
                1970 as a number, or ISO text with a time zone: "2030-01-01T12:00:00Z".
            resume: True: starts a frozen clock again.
            skew: Makes Postern's clock wrong: with -90s, the iat of a new token is 90 seconds
                behind now. Only server_now changes, and 0 makes the clock right again. Seconds as a
                number, or text with the units d, h, m, s and ms: "90s", "1d 3h".
        """
        answer = await self.send(
            "POST",
            "/clock",
            body={
                "advance": advance,
                "set": set,
                "freeze": freeze,
                "resume": resume,
                "skew": skew,
            },
        )
        return decode(Clock, answer)

    async def list_people(
        self,
        *,
        raw: bool | None = None,
    ) -> list[ListedPerson]:
        """Lists the people.

        Args:
            raw: True: includes the secrets.
        """
        answer = await self.send(
            "GET",
            "/people",
            query={
                "raw": raw,
            },
        )
        return decode(list[ListedPerson], answer["people"])

    async def add_person(
        self,
        username: str,
        *,
        password: str | None = None,
        sub: str | None = None,
        claims: Json | None = None,
        second_factor: SecondFactorKind | SecondFactor | None = None,
        disabled: bool | None = None,
    ) -> Person:
        """Adds a person. The members are those of the configuration file.

        Args:
            username: The name that the person signs in with.
            password: The password in plain text, or a hash that hash_password created. Left
                out: the person signs in with one click.
            sub: The person's sub in tokens. Default: the username.
            claims: The claims about the person: name, email, roles, and any others.
            second_factor: A second factor, which a request can ask for: totp is an
                authenticator app, and code is a code that the server gives, as if it sent it. An
                object has more: the secret of the app, or that each sign-in needs the factor.
                Default: none.
            disabled: True: the person cannot sign in, and their sign-ins and tokens have no
                effect. Default: False.
        """
        answer = await self.send(
            "POST",
            "/people",
            body={
                "username": username,
                "password": password,
                "sub": sub,
                "claims": claims,
                "secondFactor": second_factor,
                "disabled": disabled,
            },
        )
        return decode(Person, answer)

    async def change_person(
        self,
        username: str,
        *,
        password: str | None = None,
        sub: str | None = None,
        claims: Json | None = None,
        second_factor: SecondFactorKind | SecondFactor | None = None,
        disabled: bool | None = None,
    ) -> Person:
        """Changes the given members of a person and keeps the others.

        Args:
            username: The person.
            password: The password in plain text, or a hash that hash_password created. Left
                out: the person signs in with one click.
            sub: The person's sub in tokens. Default: the username.
            claims: The claims about the person: name, email, roles, and any others.
            second_factor: A second factor, which a request can ask for: totp is an
                authenticator app, and code is a code that the server gives, as if it sent it. An
                object has more: the secret of the app, or that each sign-in needs the factor.
                Default: none.
            disabled: True: the person cannot sign in, and their sign-ins and tokens have no
                effect. Default: False.
        """
        answer = await self.send(
            "PATCH",
            f"/people/{part(username)}",
            body={
                "password": password,
                "sub": sub,
                "claims": claims,
                "secondFactor": second_factor,
                "disabled": disabled,
            },
        )
        return decode(Person, answer)

    async def remove_person(
        self,
        username: str,
    ) -> None:
        """Removes a person and ends its tokens.

        Args:
            username: The person.
        """
        await self.send(
            "DELETE",
            f"/people/{part(username)}",
        )

    async def list_clients(
        self,
        *,
        raw: bool | None = None,
    ) -> list[ListedClient]:
        """Lists the clients.

        Args:
            raw: True: includes the secrets.
        """
        answer = await self.send(
            "GET",
            "/clients",
            query={
                "raw": raw,
            },
        )
        return decode(list[ListedClient], answer["clients"])

    async def add_client(
        self,
        client_id: str,
        *,
        client_secret: str | None = None,
        client_name: str | None = None,
        redirect_uris: list[str] | None = None,
        allow_private_http: bool | None = None,
        token_endpoint_auth_method: str | None = None,
        grant_types: list[str] | None = None,
        response_types: list[str] | None = None,
        scope: str | None = None,
        require_pkce: bool | None = None,
        remember_consent: bool | None = None,
        subject_type: ClientSubjectType | None = None,
        oauth_version: ClientOauthVersion | None = None,
        require_pushed_authorization_requests: bool | None = None,
        jwks: ClientJwks | None = None,
        jwks_uri: str | None = None,
        request_object_signing_alg: SigningAlgorithm | None = None,
        request_object_times: ClientRequestObjectTimes | None = None,
        require_signed_request_object: bool | None = None,
        accepted_signing_algs: list[SigningAlgorithm] | None = None,
        default_max_age: int | None = None,
        authorization_details_types: list[str] | None = None,
        require_second_factor: bool | None = None,
        client_uri: str | None = None,
        logo_uri: str | None = None,
        policy_uri: str | None = None,
        tos_uri: str | None = None,
        contacts: list[str] | None = None,
        software_id: str | None = None,
        software_version: str | None = None,
        authorization_signed_response_alg: SigningAlgorithm | None = None,
        require_signed_response: bool | None = None,
        authorization_encrypted_response_alg: KeyEncryption | None = None,
        authorization_encrypted_response_enc: ContentEncryption | None = None,
        authorization_code_lifetime: int | None = None,
        require_bound_access_tokens: bool | None = None,
        client_secret_basic: ClientSecretBasic | None = None,
        client_assertion_audience: ClientAssertionAudience | None = None,
        token_endpoint_auth_signing_alg: str | None = None,
        dpop_bound_access_tokens: bool | None = None,
        tls_client_certificate_bound_access_tokens: bool | None = None,
        tls_client_auth_subject_dn: str | None = None,
        tls_client_auth_san_dns: str | None = None,
        tls_client_auth_san_uri: str | None = None,
        tls_client_auth_san_ip: str | None = None,
        tls_client_auth_san_email: str | None = None,
        profile: ClientProfile | None = None,
        application_type: ClientApplicationType | None = None,
        rotate_refresh_tokens: bool | None = None,
        token_exchange: ClientTokenExchange | None = None,
        id_token_signed_response_alg: SigningAlgorithm | None = None,
        id_token_encrypted_response_alg: KeyEncryption | None = None,
        id_token_encrypted_response_enc: ContentEncryption | None = None,
        sector_identifier_uri: str | None = None,
        initiate_login_uri: str | None = None,
        userinfo_signed_response_alg: SigningAlgorithm | None = None,
        userinfo_encrypted_response_alg: KeyEncryption | None = None,
        userinfo_encrypted_response_enc: ContentEncryption | None = None,
        introspects: list[str] | None = None,
        introspection_signed_response_alg: SigningAlgorithm | None = None,
        introspection_encrypted_response_alg: KeyEncryption | None = None,
        introspection_encrypted_response_enc: ContentEncryption | None = None,
        post_logout_redirect_uris: list[str] | None = None,
        backchannel_logout_uri: str | None = None,
        backchannel_logout_session_required: bool | None = None,
    ) -> Client:
        """Adds a client. The members are those of the configuration file.

        Args:
            client_id: The name of the client in its requests.
            client_secret: The secret of the client. A client without a secret is public.
            client_name: The name that people see when they are asked for consent.
            redirect_uris: Where the browser may be sent back to: https, http on this machine,
                or the private scheme of an app (com.example.app:/callback). A configured client may
                also have the scheme of a program that is no reversed domain name, unless a browser
                or an operating system handles it (cursor://anysphere.cursor-mcp/oauth/callback). A
                request must name one of them exactly. Only the port of a loopback address may
                differ.
            allow_private_http: True: the redirect URIs, jwks_uri and backchannel_logout_uri may
                be http at private addresses (http://192.168.1.5/cb) and local names
                (http://app:3000/cb). Use it in a test network only, because others in the network
                can read the codes. Public hosts need https in any case (RFC 9700 §2.6). (Not a
                registered name: only this server reads it.)
            token_endpoint_auth_method: How the client authenticates. Default: none without a
                secret, client_secret_basic with one.
            grant_types: The grant types that the client may use. Default: authorization_code,
                refresh_token, and for a client with a secret or a key client_credentials.
            response_types: ["code"], or [] for a client that never sends people to sign in.
                Default: ["code"] for a client that may use authorization_code.
            scope: The scopes that the client may request, separated by spaces. Default: every
                scope.
            require_pkce: False: a request with openid in its scope may omit PKCE if it sends a
                nonce. Default: True. (Not a registered name: only this server reads it.)
            remember_consent: True: a person who has agreed is not asked again. False: a person
                is asked each time. Default: True with an https redirect URI, and on loopback for a
                client with a secret or a key. (Not a registered name: only this server reads it.)
            subject_type: pairwise: clients on different hosts get different values of sub for
                the same person. Default: public.
            oauth_version: Left out: the authorization request and the token request need
                redirect_uri. 2.1: the token request may leave redirect_uri out, and so may the
                authorization request if the client has only one redirect URI and the scope lacks
                openid. 2.0: with require_pkce False, a request with openid in its scope needs no
                nonce. (Not a registered name: only this server reads it.)
            require_pushed_authorization_requests: True: the client must push its authorization
                requests (RFC 9126 §6). Default: False.
            jwks: The public keys of the client. private_key_jwt and signed requests need them,
                or jwks_uri. The server encrypts with a key whose use is enc.
            jwks_uri: The address of the client's public keys, instead of jwks. The server
                fetches it when it needs them.
            request_object_signing_alg: The only algorithm that may sign the client's request
                objects. Default: any that its keys fit.
            request_object_times: bounded: a request object must have exp and nbf, nbf at most
                an hour ago and exp at most an hour after it, and its aud may be a list with the
                issuer (FAPI 2.0 Message Signing). Default: usual. (Not a registered name: only this
                server reads it.)
            require_signed_request_object: True: the client must sign its authorization requests
                (RFC 9101 §10.5). Default: False.
            accepted_signing_algs: The only algorithms that the client may sign with. Default:
                acceptedAlgorithms. (Not a registered name: only this server reads it.)
            default_max_age: Seconds since the last sign-in after which a person must sign in
                again, if a request has no max_age.
            authorization_details_types: The types of authorization_details that the client may
                request (RFC 9396 §10). Default: every type from a person, and none with
                client_credentials.
            require_second_factor: True: each sign-in at this client needs the second factor.
                Default: if its request asks for it. (Not a registered name: only this server reads
                it.)
            client_uri: The web site of the client.
            logo_uri: The logo of the client. Pages show no logo, because a foreign image would
                tell its host who opens a page.
            policy_uri: How the client uses data about people. The consent page has a link to
                it.
            tos_uri: The terms of service of the client. The consent page has a link to them.
            contacts: Email addresses of the people behind the client.
            software_id: The id of the software.
            software_version: The version of the software.
            authorization_signed_response_alg: The algorithm that signs authorization responses
                as a JWT (JARM). Default: RS256, or else alg of the configuration.
            require_signed_response: True: the client must use a response mode with a signed
                response (JARM): jwt, query.jwt. Default: False. (Not a registered name: only this
                server reads it.)
            authorization_encrypted_response_alg: Authorization responses as a JWT are encrypted
                to a key of the client. Default: they are only signed.
            authorization_encrypted_response_enc: The algorithm of the content of encrypted
                authorization responses. Default: A128CBC-HS256.
            authorization_code_lifetime: How many seconds the client has to redeem a code, if
                that is less than lifetimes.code. (Not a registered name: only this server reads
                it.)
            require_bound_access_tokens: True: the client gets tokens only with some proof of
                possession of a key. Default: False. (Not a registered name: only this server reads
                it.)
            client_secret_basic: encoded refuses an id or secret that is not percent-encoded in
                the header. By default, encoded and plain ones are accepted. (Not a registered name:
                only this server reads it.)
            client_assertion_audience: endpoint: the aud of an assertion may also be the URL of
                the requested endpoint, for older OpenID clients. issuer_string: it must be the
                issuer as a string, and not a list of one. Default: issuer. (Not a registered name:
                only this server reads it.)
            token_endpoint_auth_signing_alg: The only algorithm of the client's assertions, for
                private_key_jwt and client_secret_jwt. Default: any algorithm that the method
                supports.
            dpop_bound_access_tokens: True: the client gets tokens only with a DPoP proof (RFC
                9449 §5.2). Default: False.
            tls_client_certificate_bound_access_tokens: True: the client gets tokens only with
                its certificate, to which they are bound (RFC 8705 §3.4). Default: False.
            tls_client_auth_subject_dn: The subject of the client's certificate, for
                tls_client_auth, as text (RFC 4514): CN=app,O=Example.
            tls_client_auth_san_dns: The host name in the client's certificate, instead of its
                subject (RFC 8705 §2.1.2).
            tls_client_auth_san_uri: The URI in the client's certificate, instead of its
                subject.
            tls_client_auth_san_ip: The IP address in the client's certificate, instead of its
                subject.
            tls_client_auth_san_email: The email address in the client's certificate, instead of
                its subject.
            profile: The profile of this client, which fills its members and refuses others.
                Default: the profile of the server. (Not a registered name: only this server reads
                it.)
            application_type: web: the redirect URIs are https, or http on loopback. native:
                they are http on loopback, or have the scheme of an app (com.example.app:/callback),
                and beside those they may be https. Left out: a configured client may mix them.
            rotate_refresh_tokens: False: a refresh token stays the same when it is used (FAPI
                2.0). Default: rotateRefreshTokens. (Not a registered name: only this server reads
                it.)
            token_exchange: Which tokens the client may exchange, and for what (RFC 8693).
                Default: none. (Not a registered name: only this server reads it.)
            id_token_signed_response_alg: The algorithm that signs the client's ID tokens.
                Default: alg of the configuration.
            id_token_encrypted_response_alg: ID tokens and logout tokens are encrypted to a key
                of the client. Default: they are only signed.
            id_token_encrypted_response_enc: The algorithm of the content of encrypted ID
                tokens. Default: A128CBC-HS256.
            sector_identifier_uri: The https address of a JSON array with all redirect_uris.
                Clients whose addresses have the same host get the same pairwise sub for a person,
                and their redirect_uris may have different hosts. The server fetches the array.
            initiate_login_uri: The https address at which the client begins a sign-in when
                another party sends a browser there.
            userinfo_signed_response_alg: Userinfo is a JWT that is signed with this algorithm.
                Default: userinfo is unsigned JSON.
            userinfo_encrypted_response_alg: Userinfo is encrypted to a key of the client, after
                it is signed if it is. Default: it is not encrypted.
            userinfo_encrypted_response_enc: The algorithm of the content of encrypted userinfo.
                Default: A128CBC-HS256.
            introspects: The client may introspect access tokens with one of these values of
                aud. (Not a registered name: only this server reads it.)
            introspection_signed_response_alg: The algorithm that signs introspection as a JWT
                (RFC 9701). Default: alg of the configuration.
            introspection_encrypted_response_alg: Introspection as a JWT is encrypted to a key
                of the client (RFC 9701). Default: it is only signed.
            introspection_encrypted_response_enc: The algorithm of the content of encrypted
                introspection. Default: A128CBC-HS256.
            post_logout_redirect_uris: Where the browser may be sent back to after a sign-out
                that the client requests.
            backchannel_logout_uri: The address that the server calls when a person who signed
                in to the client has signed out.
            backchannel_logout_session_required: Has no effect: every logout token has the claim
                sid.
        """
        answer = await self.send(
            "POST",
            "/clients",
            body={
                "client_id": client_id,
                "client_secret": client_secret,
                "client_name": client_name,
                "redirect_uris": redirect_uris,
                "allow_private_http": allow_private_http,
                "token_endpoint_auth_method": token_endpoint_auth_method,
                "grant_types": grant_types,
                "response_types": response_types,
                "scope": scope,
                "require_pkce": require_pkce,
                "remember_consent": remember_consent,
                "subject_type": subject_type,
                "oauth_version": oauth_version,
                "require_pushed_authorization_requests": require_pushed_authorization_requests,
                "jwks": jwks,
                "jwks_uri": jwks_uri,
                "request_object_signing_alg": request_object_signing_alg,
                "request_object_times": request_object_times,
                "require_signed_request_object": require_signed_request_object,
                "accepted_signing_algs": accepted_signing_algs,
                "default_max_age": default_max_age,
                "authorization_details_types": authorization_details_types,
                "require_second_factor": require_second_factor,
                "client_uri": client_uri,
                "logo_uri": logo_uri,
                "policy_uri": policy_uri,
                "tos_uri": tos_uri,
                "contacts": contacts,
                "software_id": software_id,
                "software_version": software_version,
                "authorization_signed_response_alg": authorization_signed_response_alg,
                "require_signed_response": require_signed_response,
                "authorization_encrypted_response_alg": authorization_encrypted_response_alg,
                "authorization_encrypted_response_enc": authorization_encrypted_response_enc,
                "authorization_code_lifetime": authorization_code_lifetime,
                "require_bound_access_tokens": require_bound_access_tokens,
                "client_secret_basic": client_secret_basic,
                "client_assertion_audience": client_assertion_audience,
                "token_endpoint_auth_signing_alg": token_endpoint_auth_signing_alg,
                "dpop_bound_access_tokens": dpop_bound_access_tokens,
                "tls_client_certificate_bound_access_tokens": tls_client_certificate_bound_access_tokens,
                "tls_client_auth_subject_dn": tls_client_auth_subject_dn,
                "tls_client_auth_san_dns": tls_client_auth_san_dns,
                "tls_client_auth_san_uri": tls_client_auth_san_uri,
                "tls_client_auth_san_ip": tls_client_auth_san_ip,
                "tls_client_auth_san_email": tls_client_auth_san_email,
                "profile": profile,
                "application_type": application_type,
                "rotate_refresh_tokens": rotate_refresh_tokens,
                "token_exchange": token_exchange,
                "id_token_signed_response_alg": id_token_signed_response_alg,
                "id_token_encrypted_response_alg": id_token_encrypted_response_alg,
                "id_token_encrypted_response_enc": id_token_encrypted_response_enc,
                "sector_identifier_uri": sector_identifier_uri,
                "initiate_login_uri": initiate_login_uri,
                "userinfo_signed_response_alg": userinfo_signed_response_alg,
                "userinfo_encrypted_response_alg": userinfo_encrypted_response_alg,
                "userinfo_encrypted_response_enc": userinfo_encrypted_response_enc,
                "introspects": introspects,
                "introspection_signed_response_alg": introspection_signed_response_alg,
                "introspection_encrypted_response_alg": introspection_encrypted_response_alg,
                "introspection_encrypted_response_enc": introspection_encrypted_response_enc,
                "post_logout_redirect_uris": post_logout_redirect_uris,
                "backchannel_logout_uri": backchannel_logout_uri,
                "backchannel_logout_session_required": backchannel_logout_session_required,
            },
        )
        return decode(Client, answer)

    async def change_client(
        self,
        client_id: str,
        *,
        client_secret: str | None = None,
        client_name: str | None = None,
        redirect_uris: list[str] | None = None,
        allow_private_http: bool | None = None,
        token_endpoint_auth_method: str | None = None,
        grant_types: list[str] | None = None,
        response_types: list[str] | None = None,
        scope: str | None = None,
        require_pkce: bool | None = None,
        remember_consent: bool | None = None,
        subject_type: ClientSubjectType | None = None,
        oauth_version: ClientOauthVersion | None = None,
        require_pushed_authorization_requests: bool | None = None,
        jwks: ClientJwks | None = None,
        jwks_uri: str | None = None,
        request_object_signing_alg: SigningAlgorithm | None = None,
        request_object_times: ClientRequestObjectTimes | None = None,
        require_signed_request_object: bool | None = None,
        accepted_signing_algs: list[SigningAlgorithm] | None = None,
        default_max_age: int | None = None,
        authorization_details_types: list[str] | None = None,
        require_second_factor: bool | None = None,
        client_uri: str | None = None,
        logo_uri: str | None = None,
        policy_uri: str | None = None,
        tos_uri: str | None = None,
        contacts: list[str] | None = None,
        software_id: str | None = None,
        software_version: str | None = None,
        authorization_signed_response_alg: SigningAlgorithm | None = None,
        require_signed_response: bool | None = None,
        authorization_encrypted_response_alg: KeyEncryption | None = None,
        authorization_encrypted_response_enc: ContentEncryption | None = None,
        authorization_code_lifetime: int | None = None,
        require_bound_access_tokens: bool | None = None,
        client_secret_basic: ClientSecretBasic | None = None,
        client_assertion_audience: ClientAssertionAudience | None = None,
        token_endpoint_auth_signing_alg: str | None = None,
        dpop_bound_access_tokens: bool | None = None,
        tls_client_certificate_bound_access_tokens: bool | None = None,
        tls_client_auth_subject_dn: str | None = None,
        tls_client_auth_san_dns: str | None = None,
        tls_client_auth_san_uri: str | None = None,
        tls_client_auth_san_ip: str | None = None,
        tls_client_auth_san_email: str | None = None,
        profile: ClientProfile | None = None,
        application_type: ClientApplicationType | None = None,
        rotate_refresh_tokens: bool | None = None,
        token_exchange: ClientTokenExchange | None = None,
        id_token_signed_response_alg: SigningAlgorithm | None = None,
        id_token_encrypted_response_alg: KeyEncryption | None = None,
        id_token_encrypted_response_enc: ContentEncryption | None = None,
        sector_identifier_uri: str | None = None,
        initiate_login_uri: str | None = None,
        userinfo_signed_response_alg: SigningAlgorithm | None = None,
        userinfo_encrypted_response_alg: KeyEncryption | None = None,
        userinfo_encrypted_response_enc: ContentEncryption | None = None,
        introspects: list[str] | None = None,
        introspection_signed_response_alg: SigningAlgorithm | None = None,
        introspection_encrypted_response_alg: KeyEncryption | None = None,
        introspection_encrypted_response_enc: ContentEncryption | None = None,
        post_logout_redirect_uris: list[str] | None = None,
        backchannel_logout_uri: str | None = None,
        backchannel_logout_session_required: bool | None = None,
    ) -> Client:
        """Changes the given members of a client and keeps the others.

        Args:
            client_id: The id of the client.
            client_secret: The secret of the client. A client without a secret is public.
            client_name: The name that people see when they are asked for consent.
            redirect_uris: Where the browser may be sent back to: https, http on this machine,
                or the private scheme of an app (com.example.app:/callback). A configured client may
                also have the scheme of a program that is no reversed domain name, unless a browser
                or an operating system handles it (cursor://anysphere.cursor-mcp/oauth/callback). A
                request must name one of them exactly. Only the port of a loopback address may
                differ.
            allow_private_http: True: the redirect URIs, jwks_uri and backchannel_logout_uri may
                be http at private addresses (http://192.168.1.5/cb) and local names
                (http://app:3000/cb). Use it in a test network only, because others in the network
                can read the codes. Public hosts need https in any case (RFC 9700 §2.6). (Not a
                registered name: only this server reads it.)
            token_endpoint_auth_method: How the client authenticates. Default: none without a
                secret, client_secret_basic with one.
            grant_types: The grant types that the client may use. Default: authorization_code,
                refresh_token, and for a client with a secret or a key client_credentials.
            response_types: ["code"], or [] for a client that never sends people to sign in.
                Default: ["code"] for a client that may use authorization_code.
            scope: The scopes that the client may request, separated by spaces. Default: every
                scope.
            require_pkce: False: a request with openid in its scope may omit PKCE if it sends a
                nonce. Default: True. (Not a registered name: only this server reads it.)
            remember_consent: True: a person who has agreed is not asked again. False: a person
                is asked each time. Default: True with an https redirect URI, and on loopback for a
                client with a secret or a key. (Not a registered name: only this server reads it.)
            subject_type: pairwise: clients on different hosts get different values of sub for
                the same person. Default: public.
            oauth_version: Left out: the authorization request and the token request need
                redirect_uri. 2.1: the token request may leave redirect_uri out, and so may the
                authorization request if the client has only one redirect URI and the scope lacks
                openid. 2.0: with require_pkce False, a request with openid in its scope needs no
                nonce. (Not a registered name: only this server reads it.)
            require_pushed_authorization_requests: True: the client must push its authorization
                requests (RFC 9126 §6). Default: False.
            jwks: The public keys of the client. private_key_jwt and signed requests need them,
                or jwks_uri. The server encrypts with a key whose use is enc.
            jwks_uri: The address of the client's public keys, instead of jwks. The server
                fetches it when it needs them.
            request_object_signing_alg: The only algorithm that may sign the client's request
                objects. Default: any that its keys fit.
            request_object_times: bounded: a request object must have exp and nbf, nbf at most
                an hour ago and exp at most an hour after it, and its aud may be a list with the
                issuer (FAPI 2.0 Message Signing). Default: usual. (Not a registered name: only this
                server reads it.)
            require_signed_request_object: True: the client must sign its authorization requests
                (RFC 9101 §10.5). Default: False.
            accepted_signing_algs: The only algorithms that the client may sign with. Default:
                acceptedAlgorithms. (Not a registered name: only this server reads it.)
            default_max_age: Seconds since the last sign-in after which a person must sign in
                again, if a request has no max_age.
            authorization_details_types: The types of authorization_details that the client may
                request (RFC 9396 §10). Default: every type from a person, and none with
                client_credentials.
            require_second_factor: True: each sign-in at this client needs the second factor.
                Default: if its request asks for it. (Not a registered name: only this server reads
                it.)
            client_uri: The web site of the client.
            logo_uri: The logo of the client. Pages show no logo, because a foreign image would
                tell its host who opens a page.
            policy_uri: How the client uses data about people. The consent page has a link to
                it.
            tos_uri: The terms of service of the client. The consent page has a link to them.
            contacts: Email addresses of the people behind the client.
            software_id: The id of the software.
            software_version: The version of the software.
            authorization_signed_response_alg: The algorithm that signs authorization responses
                as a JWT (JARM). Default: RS256, or else alg of the configuration.
            require_signed_response: True: the client must use a response mode with a signed
                response (JARM): jwt, query.jwt. Default: False. (Not a registered name: only this
                server reads it.)
            authorization_encrypted_response_alg: Authorization responses as a JWT are encrypted
                to a key of the client. Default: they are only signed.
            authorization_encrypted_response_enc: The algorithm of the content of encrypted
                authorization responses. Default: A128CBC-HS256.
            authorization_code_lifetime: How many seconds the client has to redeem a code, if
                that is less than lifetimes.code. (Not a registered name: only this server reads
                it.)
            require_bound_access_tokens: True: the client gets tokens only with some proof of
                possession of a key. Default: False. (Not a registered name: only this server reads
                it.)
            client_secret_basic: encoded refuses an id or secret that is not percent-encoded in
                the header. By default, encoded and plain ones are accepted. (Not a registered name:
                only this server reads it.)
            client_assertion_audience: endpoint: the aud of an assertion may also be the URL of
                the requested endpoint, for older OpenID clients. issuer_string: it must be the
                issuer as a string, and not a list of one. Default: issuer. (Not a registered name:
                only this server reads it.)
            token_endpoint_auth_signing_alg: The only algorithm of the client's assertions, for
                private_key_jwt and client_secret_jwt. Default: any algorithm that the method
                supports.
            dpop_bound_access_tokens: True: the client gets tokens only with a DPoP proof (RFC
                9449 §5.2). Default: False.
            tls_client_certificate_bound_access_tokens: True: the client gets tokens only with
                its certificate, to which they are bound (RFC 8705 §3.4). Default: False.
            tls_client_auth_subject_dn: The subject of the client's certificate, for
                tls_client_auth, as text (RFC 4514): CN=app,O=Example.
            tls_client_auth_san_dns: The host name in the client's certificate, instead of its
                subject (RFC 8705 §2.1.2).
            tls_client_auth_san_uri: The URI in the client's certificate, instead of its
                subject.
            tls_client_auth_san_ip: The IP address in the client's certificate, instead of its
                subject.
            tls_client_auth_san_email: The email address in the client's certificate, instead of
                its subject.
            profile: The profile of this client, which fills its members and refuses others.
                Default: the profile of the server. (Not a registered name: only this server reads
                it.)
            application_type: web: the redirect URIs are https, or http on loopback. native:
                they are http on loopback, or have the scheme of an app (com.example.app:/callback),
                and beside those they may be https. Left out: a configured client may mix them.
            rotate_refresh_tokens: False: a refresh token stays the same when it is used (FAPI
                2.0). Default: rotateRefreshTokens. (Not a registered name: only this server reads
                it.)
            token_exchange: Which tokens the client may exchange, and for what (RFC 8693).
                Default: none. (Not a registered name: only this server reads it.)
            id_token_signed_response_alg: The algorithm that signs the client's ID tokens.
                Default: alg of the configuration.
            id_token_encrypted_response_alg: ID tokens and logout tokens are encrypted to a key
                of the client. Default: they are only signed.
            id_token_encrypted_response_enc: The algorithm of the content of encrypted ID
                tokens. Default: A128CBC-HS256.
            sector_identifier_uri: The https address of a JSON array with all redirect_uris.
                Clients whose addresses have the same host get the same pairwise sub for a person,
                and their redirect_uris may have different hosts. The server fetches the array.
            initiate_login_uri: The https address at which the client begins a sign-in when
                another party sends a browser there.
            userinfo_signed_response_alg: Userinfo is a JWT that is signed with this algorithm.
                Default: userinfo is unsigned JSON.
            userinfo_encrypted_response_alg: Userinfo is encrypted to a key of the client, after
                it is signed if it is. Default: it is not encrypted.
            userinfo_encrypted_response_enc: The algorithm of the content of encrypted userinfo.
                Default: A128CBC-HS256.
            introspects: The client may introspect access tokens with one of these values of
                aud. (Not a registered name: only this server reads it.)
            introspection_signed_response_alg: The algorithm that signs introspection as a JWT
                (RFC 9701). Default: alg of the configuration.
            introspection_encrypted_response_alg: Introspection as a JWT is encrypted to a key
                of the client (RFC 9701). Default: it is only signed.
            introspection_encrypted_response_enc: The algorithm of the content of encrypted
                introspection. Default: A128CBC-HS256.
            post_logout_redirect_uris: Where the browser may be sent back to after a sign-out
                that the client requests.
            backchannel_logout_uri: The address that the server calls when a person who signed
                in to the client has signed out.
            backchannel_logout_session_required: Has no effect: every logout token has the claim
                sid.
        """
        answer = await self.send(
            "PATCH",
            f"/clients/{part(client_id)}",
            body={
                "client_secret": client_secret,
                "client_name": client_name,
                "redirect_uris": redirect_uris,
                "allow_private_http": allow_private_http,
                "token_endpoint_auth_method": token_endpoint_auth_method,
                "grant_types": grant_types,
                "response_types": response_types,
                "scope": scope,
                "require_pkce": require_pkce,
                "remember_consent": remember_consent,
                "subject_type": subject_type,
                "oauth_version": oauth_version,
                "require_pushed_authorization_requests": require_pushed_authorization_requests,
                "jwks": jwks,
                "jwks_uri": jwks_uri,
                "request_object_signing_alg": request_object_signing_alg,
                "request_object_times": request_object_times,
                "require_signed_request_object": require_signed_request_object,
                "accepted_signing_algs": accepted_signing_algs,
                "default_max_age": default_max_age,
                "authorization_details_types": authorization_details_types,
                "require_second_factor": require_second_factor,
                "client_uri": client_uri,
                "logo_uri": logo_uri,
                "policy_uri": policy_uri,
                "tos_uri": tos_uri,
                "contacts": contacts,
                "software_id": software_id,
                "software_version": software_version,
                "authorization_signed_response_alg": authorization_signed_response_alg,
                "require_signed_response": require_signed_response,
                "authorization_encrypted_response_alg": authorization_encrypted_response_alg,
                "authorization_encrypted_response_enc": authorization_encrypted_response_enc,
                "authorization_code_lifetime": authorization_code_lifetime,
                "require_bound_access_tokens": require_bound_access_tokens,
                "client_secret_basic": client_secret_basic,
                "client_assertion_audience": client_assertion_audience,
                "token_endpoint_auth_signing_alg": token_endpoint_auth_signing_alg,
                "dpop_bound_access_tokens": dpop_bound_access_tokens,
                "tls_client_certificate_bound_access_tokens": tls_client_certificate_bound_access_tokens,
                "tls_client_auth_subject_dn": tls_client_auth_subject_dn,
                "tls_client_auth_san_dns": tls_client_auth_san_dns,
                "tls_client_auth_san_uri": tls_client_auth_san_uri,
                "tls_client_auth_san_ip": tls_client_auth_san_ip,
                "tls_client_auth_san_email": tls_client_auth_san_email,
                "profile": profile,
                "application_type": application_type,
                "rotate_refresh_tokens": rotate_refresh_tokens,
                "token_exchange": token_exchange,
                "id_token_signed_response_alg": id_token_signed_response_alg,
                "id_token_encrypted_response_alg": id_token_encrypted_response_alg,
                "id_token_encrypted_response_enc": id_token_encrypted_response_enc,
                "sector_identifier_uri": sector_identifier_uri,
                "initiate_login_uri": initiate_login_uri,
                "userinfo_signed_response_alg": userinfo_signed_response_alg,
                "userinfo_encrypted_response_alg": userinfo_encrypted_response_alg,
                "userinfo_encrypted_response_enc": userinfo_encrypted_response_enc,
                "introspects": introspects,
                "introspection_signed_response_alg": introspection_signed_response_alg,
                "introspection_encrypted_response_alg": introspection_encrypted_response_alg,
                "introspection_encrypted_response_enc": introspection_encrypted_response_enc,
                "post_logout_redirect_uris": post_logout_redirect_uris,
                "backchannel_logout_uri": backchannel_logout_uri,
                "backchannel_logout_session_required": backchannel_logout_session_required,
            },
        )
        return decode(Client, answer)

    async def remove_client(
        self,
        client_id: str,
    ) -> None:
        """Removes a client and ends its tokens.

        Args:
            client_id: The id of the client.
        """
        await self.send(
            "DELETE",
            f"/clients/{part(client_id)}",
        )

    async def create_certificate(
        self,
        client: str,
        *,
        subject: str | None = None,
        dns: str | list[str] | None = None,
        uri: str | list[str] | None = None,
        ip: str | list[str] | None = None,
        email: str | list[str] | None = None,
        self_signed: bool | None = None,
    ) -> Certificate:
        """Creates the certificate of a client, valid for the clock of the server. An authority of
        the test signs it, which the server trusts. The client shows it from then on in login,
        refresh and revoke.

        Args:
            client: The client id, or another name.
            subject: The subject as text (RFC 4514): CN=app,O=Example. Default: CN= and the
                name.
            dns: Host names for the certificate.
            uri: URIs for the certificate.
            ip: IP addresses for the certificate.
            email: Email addresses for the certificate.
            self_signed: True: the client signs its certificate itself, for
                self_signed_tls_client_auth. Default: an authority of the test signs it, which the
                server trusts.
        """
        answer = await self.send(
            "POST",
            "/certificates",
            body={
                "client": client,
                "subject": subject,
                "dns": dns,
                "uri": uri,
                "ip": ip,
                "email": email,
                "selfSigned": self_signed,
            },
        )
        return decode(Certificate, answer)

    async def list_client_documents(
        self,
    ) -> list[ClientDocument]:
        """Lists the client documents, and how often the server has fetched each one."""
        answer = await self.send(
            "GET",
            "/client_documents",
        )
        return decode(list[ClientDocument], answer["client_documents"])

    async def create_client_document(
        self,
        *,
        metadata: Json | None = None,
        url: str | None = None,
    ) -> ClientDocument:
        """Hosts the metadata document of a client, which the server fetches without a network.
        Login and refresh know the client then.

        Args:
            metadata: The members of the document. Default: a public client with a name and two
                redirect URIs.
            url: The URL of the document. Default: https://client.test/1.json, with another
                number for each document.
        """
        answer = await self.send(
            "POST",
            "/client_documents",
            body={
                "metadata": metadata,
                "url": url,
            },
        )
        return decode(ClientDocument, answer)

    async def change_client_document(
        self,
        document: str,
        *,
        metadata: Json | None = None,
        answer: DocumentAnswer | NotGiven | None = NOT_GIVEN,
    ) -> ClientDocument:
        """Changes members of a client document, or answers with something else instead. The server
        fetches the document again at its next use.

        Args:
            document: The id of the document.
            metadata: The members to change. None removes a member.
            answer: The answer instead of the document. None restores the document.
        """
        answer = await self.send(
            "PATCH",
            f"/client_documents/{part(document)}",
            body={
                "metadata": metadata,
                "answer": nullable(answer),
            },
        )
        return decode(ClientDocument, answer)

    async def list_resources(
        self,
    ) -> list[Resource]:
        """Lists the APIs, and how many requests to each one are recorded."""
        answer = await self.send(
            "GET",
            "/resources",
        )
        return decode(list[Resource], answer["resources"])

    async def create_resource(
        self,
        url: str,
        *,
        scope: str | list[str] | None = None,
        rules: list[ResourceRule] | None = None,
        acr: str | list[str] | None = None,
        max_age: Duration | None = None,
        dpop: ResourceDpop | None = None,
        scopes: list[str] | None = None,
        metadata: str | Literal[False] | None = None,
        document: Json | None = None,
        challenge: Literal[False] | ResourceChallenge | None = None,
        authorization_servers: list[str] | None = None,
        answer: ResourceAnswer | None = None,
    ) -> Resource:
        """Creates an API that accepts tokens of this server, publishes its metadata (RFC 9728) and
        records its requests. At a path, this server answers for the API: clients call it with an
        access token, and without the token of the control plane. At another URL, your program
        answers, and asks guard about each request.

        Args:
            url: A path at the origin of the issuer, for example /orders, or the URL of an API
                of your own.
            scope: The scopes that every request needs.
            rules: What certain requests need in addition.
            acr: The values of the claim acr, of which every token must have one (RFC 9470).
            max_age: How long ago the person may have signed in (RFC 9470). A number of seconds,
                or text such as "90s", "2h", "1d 3h", "250ms", "1.5h" or "-5m".
            dpop: How the API uses DPoP. Default: it accepts bearer tokens and bound tokens,
                without nonces.
            scopes: scopes_supported of the metadata. Default: the metadata names no scopes.
            metadata: Where the metadata (RFC 9728) is. path: at the well-known path, followed
                by the path of the API. root: at the well-known path alone. Text that is a URL or a
                path: there, at the origin of the API. False: nowhere. Default: path.
            document: Members that the metadata has in addition, or with another value. A member
                with the value None is left out.
            challenge: How refusals challenge the client. False: without the header
                WWW-Authenticate.
            authorization_servers: The authorization servers whose tokens the API accepts: this
                server, its tenants, or an issuer that only the metadata names. Default: this
                server.
            answer: The answer to a request that the API accepts. Default: the claims of the
                token, as JSON.
        """
        answer = await self.send(
            "POST",
            "/resources",
            body={
                "url": url,
                "scope": scope,
                "rules": rules,
                "acr": acr,
                "maxAge": max_age,
                "dpop": dpop,
                "scopes": scopes,
                "metadata": metadata,
                "document": document,
                "challenge": challenge,
                "authorizationServers": authorization_servers,
                "answer": answer,
            },
        )
        return decode(Resource, answer)

    async def show_resource(
        self,
        resource: str,
    ) -> Resource:
        """Returns the API with its terms.

        Args:
            resource: The id of the resource.
        """
        answer = await self.send(
            "GET",
            f"/resources/{part(resource)}",
        )
        return decode(Resource, answer)

    async def change_resource(
        self,
        resource: str,
        *,
        scope: str | list[str] | NotGiven | None = NOT_GIVEN,
        rules: list[ResourceRule] | NotGiven | None = NOT_GIVEN,
        acr: str | list[str] | NotGiven | None = NOT_GIVEN,
        max_age: Duration | NotGiven | None = NOT_GIVEN,
        dpop: ResourceDpop | NotGiven | None = NOT_GIVEN,
        scopes: list[str] | NotGiven | None = NOT_GIVEN,
        metadata: str | Literal[False] | NotGiven | None = NOT_GIVEN,
        document: Json | NotGiven | None = NOT_GIVEN,
        challenge: Literal[False] | ResourceChallenge | NotGiven | None = NOT_GIVEN,
        authorization_servers: list[str] | NotGiven | None = NOT_GIVEN,
        answer: ResourceAnswer | NotGiven | None = NOT_GIVEN,
    ) -> Resource:
        """Changes what the API requires, publishes and answers. Terms that are left out stay.

        Args:
            resource: The id of the resource.
            scope: The scopes that every request needs. None restores the default.
            rules: What certain requests need in addition. None restores the default.
            acr: The values of the claim acr, of which every token must have one (RFC 9470).
                None restores the default.
            max_age: How long ago the person may have signed in (RFC 9470). A number of seconds,
                or text such as "90s", "2h", "1d 3h", "250ms", "1.5h" or "-5m". None restores the
                default.
            dpop: How the API uses DPoP. Default: it accepts bearer tokens and bound tokens,
                without nonces. None restores the default.
            scopes: scopes_supported of the metadata. Default: the metadata names no scopes.
                None restores the default.
            metadata: Where the metadata (RFC 9728) is. path: at the well-known path, followed
                by the path of the API. root: at the well-known path alone. Text that is a URL or a
                path: there, at the origin of the API. False: nowhere. Default: path. None restores
                the default.
            document: Members that the metadata has in addition, or with another value. A member
                with the value None is left out. None restores the default.
            challenge: How refusals challenge the client. False: without the header
                WWW-Authenticate. None restores the default.
            authorization_servers: The authorization servers whose tokens the API accepts: this
                server, its tenants, or an issuer that only the metadata names. Default: this
                server. None restores the default.
            answer: The answer to a request that the API accepts. Default: the claims of the
                token, as JSON. None restores the default.
        """
        answer = await self.send(
            "PATCH",
            f"/resources/{part(resource)}",
            body={
                "scope": nullable(scope),
                "rules": nullable(rules),
                "acr": nullable(acr),
                "maxAge": nullable(max_age),
                "dpop": nullable(dpop),
                "scopes": nullable(scopes),
                "metadata": nullable(metadata),
                "document": nullable(document),
                "challenge": nullable(challenge),
                "authorizationServers": nullable(authorization_servers),
                "answer": nullable(answer),
            },
        )
        return decode(Resource, answer)

    async def remove_resource(
        self,
        resource: str,
    ) -> None:
        """Removes the API. Its address answers 404 then.

        Args:
            resource: The id of the resource.
        """
        await self.send(
            "DELETE",
            f"/resources/{part(resource)}",
        )

    async def list_resource_requests(
        self,
        resource: str,
        *,
        client: str | None = None,
        after: str | None = None,
        wait: int | None = None,
        raw: bool | None = None,
    ) -> RequestList:
        """Lists the recorded requests to the API, also those that guard has checked. If none
        matches, wait says how long the call waits for one.

        Args:
            resource: The id of the resource.
            client: Only requests of the client with this client id.
            after: Returns only requests recorded after the request with this id.
            wait: How many seconds of real time the call waits at most. Default: 0.
            raw: True: includes the secrets.
        """
        answer = await self.send(
            "GET",
            f"/resources/{part(resource)}/requests",
            query={
                "client": client,
                "after": after,
                "wait": wait,
                "raw": raw,
            },
        )
        return decode(RequestList, answer)

    async def guard_resource(
        self,
        resource: str,
        *,
        token: str | None = None,
        method: str | None = None,
        url: str | None = None,
        headers: dict[str, str] | None = None,
        body: str | None = None,
    ) -> GuardedRequest:
        """Checks a request that has come to an API of your own. Returns the claims of its token, or
        the response to send: a refusal with its challenge, the metadata, or the answer to a CORS
        preflight.

        Args:
            resource: The id of the resource.
            token: The access token of a request with Authorization: Bearer. Instead of that
                header.
            method: The method of the request. Default: GET.
            url: The URL of the request, or its path, with the query. A DPoP proof must be for
                this path. Default: the URL of the API.
            headers: The headers of the request, such as authorization and dpop.
            body: The body of the request, for rules about JSON-RPC. Ignored with GET and HEAD.
        """
        answer = await self.send(
            "POST",
            f"/resources/{part(resource)}/guard",
            body={
                "token": token,
                "method": method,
                "url": url,
                "headers": headers,
                "body": body,
            },
        )
        return decode(GuardedRequest, answer)

    async def list_routes(
        self,
    ) -> list[OtherAddress]:
        """Lists the addresses that callers have added."""
        answer = await self.send(
            "GET",
            "/routes",
        )
        return decode(list[OtherAddress], answer["routes"])

    async def create_route(
        self,
        route: str,
        *,
        status: int | None = None,
        headers: dict[str, str] | None = None,
        body: str | Json | list[Any] | None = None,
    ) -> OtherAddress:
        """Answers one method at one URL that neither the server nor its look-alike has, until a
        reset. It checks no token, and the journal has its requests.

        Args:
            route: The method and the URL: "GET https://api.github.com/user/orgs". A path
                instead of the URL is at the origin of the issuer. At the hosts of a look-alike,
                programs behind the proxy reach it.
            status: The status. Default: 200.
            headers: The headers. Default of content-type: application/json.
            body: Text, or an object or a list, which is sent as JSON. Default: empty.
        """
        answer = await self.send(
            "POST",
            "/routes",
            body={
                "route": route,
                "status": status,
                "headers": headers,
                "body": body,
            },
        )
        return decode(OtherAddress, answer)

    async def remove_route(
        self,
        route: str,
    ) -> None:
        """Removes the address.

        Args:
            route: The id of the route.
        """
        await self.send(
            "DELETE",
            f"/routes/{part(route)}",
        )

    async def list_requests(
        self,
        *,
        endpoint: EndpointName | None = None,
        client: str | None = None,
        after: str | None = None,
        wait: int | None = None,
        raw: bool | None = None,
    ) -> RequestList:
        """Lists the recorded requests. If none matches, wait says how long the call waits for one.
        The times are those of Postern's clock.

        Args:
            endpoint: The endpoint. page: the pages, their files, preflights, and paths that the
                server does not know.
            client: Only requests of the client with this client id.
            after: Returns only requests recorded after the request with this id.
            wait: How many seconds of real time the call waits at most. Default: 0.
            raw: True: includes the secrets.
        """
        answer = await self.send(
            "GET",
            "/requests",
            query={
                "endpoint": endpoint,
                "client": client,
                "after": after,
                "wait": wait,
                "raw": raw,
            },
        )
        return decode(RequestList, answer)

    async def show_timeline(
        self,
        *,
        form: TimelineForm | None = None,
    ) -> str:
        """Returns the timeline without secrets, as text, JSON lines, a HAR file, a Mermaid diagram,
        or one HTML file that explains each request.

        Args:
            form: The format. Default: text.
        """
        text: str = await self.send(
            "GET",
            "/timeline",
            query={
                "form": form,
            },
            as_text=True,
        )
        return text

    async def explain(
        self,
    ) -> str | None:
        """Explains the last refusal and the last advice since the start or a reset, even if later
        requests succeeded: the rule, what was expected, and what was received. The line earlier
        has the first refusal since the last success, such as a login or a token response,
        because it may be the cause. An advice says which rule an accepted request broke, or why
        a token is inactive.
        """
        answer = await self.send(
            "GET",
            "/explain",
        )
        return decode(str, answer.get("explanation")) if answer else None

    async def list_gates(
        self,
    ) -> list[Gate]:
        """Lists the gates, delays, failures and drops."""
        answer = await self.send(
            "GET",
            "/gates",
        )
        return decode(list[Gate], answer["gates"])

    async def create_gate(
        self,
        endpoint: EndpointName,
        kind: GateKind,
        *,
        count: int | None = None,
        by: Duration | None = None,
        status: int | None = None,
        retry_after: Duration | None = None,
    ) -> Gate:
        """Holds or delays the requests to an endpoint, lets them fail before the server handles
        them, or drops their responses afterwards.

        Args:
            endpoint: The endpoint. page: the pages, their files, preflights, and paths that the
                server does not know.
            kind: hold: requests wait for a release. delay: requests wait for a time. fail:
                requests get an error before the server handles them. drop: the server handles the
                requests, and the responses are lost.
            count: How many requests fail. Later requests pass. Default: all requests.
            by: How long a delay is. Seconds as a number, or text with the units d, h, m, s and
                ms: "90s", "1d 3h".
            status: The status: 429, or from 500 to 599. Default: 503. Only for the kind fail.
            retry_after: The header Retry-After, which some clients obey in real time, rounded
                up to seconds. Default: no header. A number of seconds, or text such as "90s", "2h",
                "1d 3h", "250ms", "1.5h" or "-5m". Only for the kind fail.
        """
        answer = await self.send(
            "POST",
            "/gates",
            body={
                "endpoint": endpoint,
                "kind": kind,
                "count": count,
                "by": by,
                "status": status,
                "retryAfter": retry_after,
            },
        )
        return decode(Gate, answer)

    async def watch_gate(
        self,
        gate: str,
        *,
        arrived: int | None = None,
        wait: int | None = None,
    ) -> WatchedGate:
        """Returns the gate. With arrived and wait, the call waits until so many requests have come
        to the gate. arrived in the answer is True if they have.

        Args:
            gate: The id of the gate.
            arrived: How many requests must have come since the gate was created. Default: 1.
            wait: How many seconds of real time the call waits at most. Default: 0.
        """
        answer = await self.send(
            "GET",
            f"/gates/{part(gate)}",
            query={
                "arrived": arrived,
                "wait": wait,
            },
        )
        return decode(WatchedGate, answer)

    async def release_gate(
        self,
        gate: str,
        *,
        index: int | None = None,
    ) -> None:
        """Releases one request, or all waiting requests and all later ones.

        Args:
            gate: The id of the gate.
            index: The number of the request, where 1 is the first that arrived. Left out: all
                requests.
        """
        await self.send(
            "POST",
            f"/gates/{part(gate)}/release",
            body={
                "index": index,
            },
        )

    async def remove_gate(
        self,
        gate: str,
    ) -> None:
        """Removes the gate and releases the waiting requests.

        Args:
            gate: The id of the gate.
        """
        await self.send(
            "DELETE",
            f"/gates/{part(gate)}",
        )

    async def list_hooks(
        self,
    ) -> list[Hook]:
        """Lists the hooks, and how often each was used."""
        answer = await self.send(
            "GET",
            "/hooks",
        )
        return decode(list[Hook], answer["hooks"])

    async def create_hook(
        self,
        name: HookName,
        patch: Json,
        *,
        once: bool | None = None,
        client: str | None = None,
        username: str | None = None,
        endpoint: EndpointName | None = None,
    ) -> Hook:
        """Adds a hook that applies a JSON merge patch (RFC 7396) to a value before the server sends
        it.

        Args:
            name: The value to change.
            patch: The members to change. None removes a member.
            once: The hook runs only for the first value that matches the endpoint, the client
                and the person.
            client: The id of the client that the hook runs for. Default: any client.
            username: The username of the person that the hook runs for. Default: any person, or
                none.
            endpoint: Runs the hook only for requests to this endpoint. Only for the hooks jwt,
                signed and response.
        """
        answer = await self.send(
            "POST",
            "/hooks",
            body={
                "name": name,
                "patch": patch,
                "once": once,
                "client": client,
                "username": username,
                "endpoint": endpoint,
            },
        )
        return decode(Hook, answer)

    async def remove_hook(
        self,
        hook: str,
    ) -> None:
        """Removes the hook. It no longer changes values.

        Args:
            hook: The id of the hook.
        """
        await self.send(
            "DELETE",
            f"/hooks/{part(hook)}",
        )

    async def list_catalogue(
        self,
        *,
        area: MisbehaviourArea | None = None,
        level: Level | None = None,
        words: str | None = None,
    ) -> list[Misbehaviour]:
        """Lists the ways in which the server can be wrong.

        Args:
            area: Where the server is wrong.
            level: What a standard says about it. must and should: the client has to notice.
                tolerate: the server is only unusual, and the client has to go on. robustness: a
                correct client goes on, but no rule says so. hardening: it is wise to notice, but no
                rule says so.
            words: Only those that say these words, for example: wrong audience.
        """
        answer = await self.send(
            "GET",
            "/misbehaviours/catalogue",
            query={
                "area": area,
                "level": level,
                "words": words,
            },
        )
        return decode(list[Misbehaviour], answer["misbehaviours"])

    async def list_misbehaviours(
        self,
    ) -> list[ActiveMisbehaviour]:
        """Lists the misbehaviours that are on, with their verdicts. Includes those of --misbehave."""
        answer = await self.send(
            "GET",
            "/misbehaviours",
        )
        return decode(list[ActiveMisbehaviour], answer["misbehaviours"])

    async def create_misbehaviour(
        self,
        name: MisbehaviourName,
        *,
        client: str | None = None,
        username: str | None = None,
        times: int | None = None,
        probability: float | None = None,
        variant: str | None = None,
    ) -> ActiveMisbehaviour:
        """Makes the server wrong until the misbehaviour is removed, or until a reset.

        Args:
            name: A name of the catalogue.
            client: The id of the client to which the server misbehaves. Default: every client.
            username: The username of the person about whom the server misbehaves. Default:
                everyone.
            times: How many answers are wrong. Later answers are right. Default: all answers.
            probability: The probability of a wrong answer, from 0 to 1, drawn with the mock's
                seed. Default: 1.
            variant: The variant of the misbehaviour, if it has several. Default: the first.
        """
        answer = await self.send(
            "POST",
            "/misbehaviours",
            body={
                "name": name,
                "client": client,
                "username": username,
                "times": times,
                "probability": probability,
                "variant": variant,
            },
        )
        return decode(ActiveMisbehaviour, answer)

    async def show_misbehaviour(
        self,
        misbehaviour: str,
    ) -> ActiveMisbehaviour:
        """Returns the misbehaviour. Its verdict is pending until it is settled.

        Args:
            misbehaviour: The id of the misbehaviour.
        """
        answer = await self.send(
            "GET",
            f"/misbehaviours/{part(misbehaviour)}",
        )
        return decode(ActiveMisbehaviour, answer)

    async def settle_misbehaviour(
        self,
        misbehaviour: str,
        *,
        result: LoginResult | None = None,
        error: str | None = None,
    ) -> MisbehaviourVerdict:
        """Says that the client's run is over, and returns the verdict. Later calls return the same
        verdict. The misbehaviour stays on until it is removed.

        Args:
            misbehaviour: The id of the misbehaviour.
            result: How the client's run ended. none: the caller does not know, so only the
                client's requests count. Default: none.
            error: The error of the client: its name, a colon and its message, for example
                MismatchingIssuer: the issuer is another one. A timeout and a failed connection are
                no refusal, and an error of the language itself says that the client is broken. Only
                with the result refusal.
        """
        answer = await self.send(
            "POST",
            f"/misbehaviours/{part(misbehaviour)}/settle",
            body={
                "result": result,
                "error": error,
            },
        )
        return decode(MisbehaviourVerdict, answer)

    async def remove_misbehaviour(
        self,
        misbehaviour: str,
    ) -> None:
        """Switches the misbehaviour off.

        Args:
            misbehaviour: The id of the misbehaviour.
        """
        await self.send(
            "DELETE",
            f"/misbehaviours/{part(misbehaviour)}",
        )

    async def list_look_alikes(
        self,
    ) -> list[LookAlike]:
        """Lists the look-alikes that are on."""
        answer = await self.send(
            "GET",
            "/look_alikes",
        )
        return decode(list[LookAlike], answer["look_alikes"])

    async def create_look_alike(
        self,
        name: LookAlikeName,
        *,
        client: str | None = None,
        host: str | None = None,
    ) -> LookAlike:
        """Makes the server answer as a well-known provider does where the provider differs from the
        standards, until the look-alike is removed, or until a reset.

        Args:
            name: The provider.
            client: The id of the client to which the server looks like the provider. Default:
                every client.
            host: The host of the tenant, if each tenant of the provider has its own:
                "shop.eu.auth0.com". Default: an invented one.
        """
        answer = await self.send(
            "POST",
            "/look_alikes",
            body={
                "name": name,
                "client": client,
                "host": host,
            },
        )
        return decode(LookAlike, answer)

    async def remove_look_alike(
        self,
        look_alike: str,
    ) -> None:
        """Switches the look-alike off.

        Args:
            look_alike: The id of the look alike.
        """
        await self.send(
            "DELETE",
            f"/look_alikes/{part(look_alike)}",
        )

    async def describe_environment(
        self,
        *,
        client: str | None = None,
        raw: bool | None = None,
    ) -> dict[str, str]:
        """Returns the environment variables that configure an application for this server.

        Args:
            client: The client id. Default: the first suitable client.
            raw: True: includes the secrets.
        """
        answer = await self.send(
            "GET",
            "/env",
            query={
                "client": client,
                "raw": raw,
            },
        )
        return decode(dict[str, str], answer)

    async def show_server(
        self,
    ) -> Server:
        """Returns the issuer, and the path of the OpenAPI document. A browser gets a page of all
        calls instead.
        """
        answer = await self.send(
            "GET",
            "",
        )
        return decode(Server, answer)

    async def reset(
        self,
    ) -> None:
        """Restores the initial state of records, people, clients, clock, journal, hooks, gates,
        misbehaviours and look-alikes, and removes client documents and APIs. A reset of the
        server itself also removes its tenants. With --store, a reset deletes the records in the
        store, and keeps the signing keys. With --people, it keeps the people of the server. A
        request of another program that it cuts short gets 503 with Retry-After.
        """
        await self.send(
            "POST",
            "/reset",
        )


class AsyncServerCalls(AsyncCalls):
    """The calls that only a server has."""

    async def mint_workload(
        self,
        platform: WorkloadPlatform,
        *,
        sub: str | None = None,
        claims: Json | None = None,
        audience: str | list[str] | None = None,
        expires_in: Duration | None = None,
    ) -> WorkloadToken:
        """Mints a token as a platform gives it to a workload without a person: to a pipeline, a pod
        or a service. A tenant with the name of the platform has its discovery document and keys,
        at the same paths as the platform.

        Args:
            platform: The platform that gives the token.
            sub: The subject of the token. The claims that the platform derives from it follow:
                the repository, the project, the service account. Default: an example of the
                platform's documentation.
            claims: Claims that are added to those of the platform, or replace them, also those
                that no workload can choose. The default subject follows from them.
            audience: Who the token is for. Default: the usual audience of the platform. SPIFFE
                has none, so it needs this member.
            expires_in: How long the token is valid. Default: as long as the platform's tokens
                live. A number of seconds, or text such as "90s", "2h", "1d 3h", "250ms", "1.5h" or
                "-5m".
        """
        answer = await self.send(
            "POST",
            "/workload",
            body={
                "platform": platform,
                "sub": sub,
                "claims": claims,
                "audience": audience,
                "expiresIn": expires_in,
            },
        )
        return decode(WorkloadToken, answer)

    async def list_tenants(
        self,
    ) -> list[str]:
        """Lists the names of the tenants."""
        answer = await self.send(
            "GET",
            "/tenants",
        )
        return decode(list[str], answer["tenants"])

    async def list_snapshots(
        self,
    ) -> list[Snapshot]:
        """Lists the snapshots."""
        answer = await self.send(
            "GET",
            "/snapshots",
        )
        return decode(list[Snapshot], answer["snapshots"])

    async def snapshot(
        self,
    ) -> Snapshot:
        """Keeps the people, clients, grants, sessions, keys and clocks of the server and its
        tenants in memory. Waits for running requests. There are at most 20 snapshots.
        """
        answer = await self.send(
            "POST",
            "/snapshots",
        )
        return decode(Snapshot, answer)

    async def restore(
        self,
        snapshot: str,
    ) -> None:
        """Returns to a snapshot, which stays. Waits for running requests. Journal, hooks and gates
        stay, and a newer tenant is reset. With --people, the people of the server stay, too.

        Args:
            snapshot: The id of the snapshot.
        """
        await self.send(
            "POST",
            f"/snapshots/{part(snapshot)}/restore",
        )

    async def remove_snapshot(
        self,
        snapshot: str,
    ) -> None:
        """Removes a snapshot.

        Args:
            snapshot: The id of the snapshot.
        """
        await self.send(
            "DELETE",
            f"/snapshots/{part(snapshot)}",
        )
