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
