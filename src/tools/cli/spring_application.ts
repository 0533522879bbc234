/** Prints settings for Spring Boot: for an application that signs people in, and for an API. */

import { publicClientMethod, usesSecret } from "../../server/oauth/clients/client.ts";
import { isLoopbackUri } from "../../server/oauth/clients/redirect_uri.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import { type Application, lacksSignIn, noteSecret, quote, secretName } from "./application_terms.ts";
import { findAddress, type LibraryAddress } from "./library_address.ts";

export function describeSpring(application: Application, settings: Settings): readonly string[] {
  const requiresPkce = settings.clients.get(application.clientId)?.requirePkce ?? true;
  return [...springClient(application, requiresPkce), "", ...springResourceServer(settings)];
}

const springAddress: LibraryAddress = {
  library: "Spring Boot",
  pattern: /\/login\/oauth2\/code\/([\w-]+)$/,
  path: (id) => `/login/oauth2/code/${id}`,
  origin: "http://localhost:8080",
};

function springClient(application: Application, requiresPkce: boolean): readonly string[] {
  const { issuer, clientId, scope, method, redirectUris, actsForItself } = application;
  const { id, redirectUri, notes } = findAddress(application, springAddress);
  const isForPeople = redirectUris.length > 0 || !actsForItself;
  return [
    `# --- src/main/resources/application.yml of an application ${
      isForPeople ? "that signs people in" : "that gets tokens for itself"
    } ---`,
    "# Spring Boot 4: spring-boot-starter-security-oauth2-client",
    "# (Spring Boot 3: spring-boot-starter-oauth2-client)",
    ...(isForPeople && requiresPkce && method !== publicClientMethod ? springThreePkce : []),
    ...(isForPeople ? [...notes, ...lacksSignIn(application)] : []).map((line) => `# ${line}`),
    ...noteSecret(application, "#"),
    "spring:",
    "  security:",
    "    oauth2:",
    "      client:",
    "        registration:",
    `          ${id}:`,
    `            client-id: ${quote(clientId)}`,
    ...(usesSecret(method) ? [`            client-secret: \${${secretName}}`] : []),
    `            client-authentication-method: ${method}`,
    ...(!isForPeople
      // Without scope the server grants what the client may have.
      ? ["            authorization-grant-type: client_credentials"]
      : [
        "            authorization-grant-type: authorization_code",
        ...springRedirectUri(redirectUri),
        `            scope: [${scope.map(quote).join(", ")}]`,
      ]),
    "        provider:",
    `          ${id}:`,
    `            issuer-uri: ${quote(issuer)}`,
  ];
}

/** Spring Security 6 sends PKCE only for a client without authentication. */
const springThreePkce: readonly string[] = [
  "# Spring Boot 3 sends no PKCE for a client with a secret: see docs/spring_boot.md#spring-boot-3,",
  '# or set "require_pkce": false for this client in the configuration.',
];

/** The port of a loopback redirect URI may differ (RFC 8252 §7.3), so Spring fills in its own, also in a test. */
function springRedirectUri(registered: string | undefined): readonly string[] {
  const isOnLoopback = registered === undefined || isLoopbackUri(registered);
  const uri = isOnLoopback ? "{baseUrl}/login/oauth2/code/{registrationId}" : registered;
  return [
    ...(isOnLoopback && registered !== undefined ? [`            # ${registered}, or another port`] : []),
    `            redirect-uri: ${quote(uri)}`,
  ];
}

function springResourceServer(
  { issuer, resources, accessTokens, accessTokenType }: Settings,
): readonly string[] {
  if (accessTokens === "opaque") {
    return [
      "# --- src/main/resources/application.yml of an API ---",
      "# An API asks the server about opaque tokens: spring.security.oauth2.resourceserver.opaquetoken",
    ];
  }
  const audiences = resources.size === 0 ? [issuer] : [...resources];
  return [
    "# --- src/main/resources/application.yml of an API that checks tokens ---",
    "# Spring Boot 4: spring-boot-starter-security-oauth2-resource-server",
    "# (Spring Boot 3: spring-boot-starter-oauth2-resource-server)",
    "spring:",
    "  security:",
    "    oauth2:",
    "      resourceserver:",
    "        jwt:",
    `          issuer-uri: ${quote(issuer)}`,
    `          audiences: [${audiences.map(quote).join(", ")}]`,
    "",
    "// --- Java: beans for a @Configuration class of the API ---",
    ...(accessTokenType === "JWT" ? [] : springTypeBeans),
    ...springExpiryBean,
  ];
}

/** Code for typ `at+jwt` (RFC 9068 §2.1), because Spring Security expects `JWT` by default. */
const springTypeBeans: readonly string[] = [
  "// accessTokenType sets the accepted typ: access tokens have at+jwt (RFC 9068), and Spring expects JWT.",
  "// Spring Boot 4:",
  "// import org.springframework.security.oauth2.jwt.JwtTypeValidator;",
  "@Bean",
  "JwtTypeValidator accessTokenType() {",
  '  return new JwtTypeValidator("at+jwt");',
  "}",
  "",
  "// Spring Boot 3, instead:",
  "// import com.nimbusds.jose.JOSEObjectType;",
  "// import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;",
  "// import org.springframework.boot.autoconfigure.security.oauth2.resource.servlet.JwkSetUriJwtDecoderBuilderCustomizer;",
  "@Bean",
  "JwkSetUriJwtDecoderBuilderCustomizer accessTokenType() {",
  "  return (builder) -> builder.jwtProcessorCustomizer((processor) -> processor.setJWSTypeVerifier(",
  '      new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("at+jwt"))));',
  "}",
  "",
];

/** Code that requires `exp`, because Spring Security accepts a token without it. */
const springExpiryBean: readonly string[] = [
  "// accessTokenExpires requires exp: Spring accepts a token without exp, which never expires.",
  "// import java.util.Objects;",
  "// import org.springframework.security.oauth2.jwt.JwtClaimValidator;",
  "@Bean",
  "JwtClaimValidator<Object> accessTokenExpires() {",
  '  return new JwtClaimValidator<>("exp", Objects::nonNull);',
  "}",
];
