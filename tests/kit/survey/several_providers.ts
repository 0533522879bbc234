/** Libraries that log in at several providers: each row says which calls the library makes at one of them. */
import type { Library } from "./survey.ts";

type WriteLibrary = (...calls: readonly string[]) => Library;

const library = (name: string, source: string): WriteLibrary => (...calls) => [name, source, ...calls];

export const clientOauth2: WriteLibrary = library("npm client-oauth2 4.3.3", "src/client-oauth2.js");
export const commonOauth2Provider: WriteLibrary = library(
  "Maven spring-security-config 6.5.1",
  "CommonOAuth2Provider.java",
);
export const grant: WriteLibrary = library("npm grant 5.4.24", "config/oauth.json, config/profile.json");
export const justAuth: WriteLibrary = library(
  "Maven me.zhyd.oauth:JustAuth 1.16.7",
  "AuthDefaultSource.java",
);
export const mozillaDjangoOidc: WriteLibrary = library(
  "PyPI mozilla-django-oidc 5.0.2",
  "mozilla_django_oidc/auth.py, by discovery",
);
export const nimbusOidc: WriteLibrary = library("Maven com.nimbusds:oauth2-oidc-sdk 11.20.1", "by discovery");
export const openidconnect: WriteLibrary = library("crates openidconnect 4.1.0", "by discovery");
export const quarkusOidc: WriteLibrary = library(
  "Maven io.quarkus:quarkus-oidc 3.24.1",
  "KnownOidcProviders.java",
);
export const simpleOauth2: WriteLibrary = library(
  "npm simple-oauth2 5.1.0",
  "lib/access-token.js, with @hapi/wreck",
);
export const xOauth2: WriteLibrary = library("Go golang.org/x/oauth2 0.38.0", "endpoints/endpoints.go");
export const zitadelOidc: WriteLibrary = library(
  "Go github.com/zitadel/oidc/v3 3.52.0",
  "pkg/client/rp, by discovery",
);
export const openauth: WriteLibrary = library("npm @openauthjs/openauth 0.4.3", "src/provider");
export const strapi: WriteLibrary = library(
  "npm @strapi/plugin-users-permissions 5.54.0",
  "server/src/services/providers-registry.js, with grant",
);
export const loginpass: WriteLibrary = library("PyPI loginpass 0.5", "loginpass, with Authlib 0.15");
export const flaskAppBuilder: WriteLibrary = library(
  "PyPI Flask-AppBuilder 5.3.0",
  "flask_appbuilder/security/manager.py, with Authlib",
);
export const buildbot: WriteLibrary = library("PyPI buildbot 4.3.0", "buildbot/www/oauth2.py");
export const cap: WriteLibrary = library(
  "Go github.com/hashicorp/cap 0.16.0",
  "oidc/provider.go, by discovery",
);
export const modAuthOpenidc: WriteLibrary = library(
  "Debian libapache2-mod-auth-openidc 2.4.12",
  "src/metadata.c, by discovery",
);
export const openidConnect: WriteLibrary = library(
  "Ruby openid_connect 1.2.0",
  "lib/openid_connect, by discovery",
);
export const rackOauth2: WriteLibrary = library("Ruby rack-oauth2 1.21.3", "lib/rack/oauth2/client.rb");
export const netOauth2: WriteLibrary = library(
  "Perl Net::OAuth2 0.67",
  "lib/Net/OAuth2/Profile/WebServer.pm",
);
export const keycloakServices: WriteLibrary = library(
  "Maven org.keycloak:keycloak-services 26.1.1",
  "org/keycloak/social",
);
export const mcpSdk: WriteLibrary = library(
  "npm @modelcontextprotocol/sdk 1.32.2",
  "client/auth.js",
);
