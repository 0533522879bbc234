/** The clients and the person, the same on every server. The members of a client are those of RFC 7591. */
export const redirectUri = "http://127.0.0.1:9/cb";

export interface BenchClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: string;
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
}

/** It gets no refresh tokens. */
export const publicClient: BenchClient = {
  client_id: "bench",
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code"],
  response_types: ["code"],
};

export const confidentialClient: BenchClient = {
  client_id: "bench-confidential",
  // letters and digits need no escape in a Basic header
  client_secret: "Q7dYw2mZr9Tn4KbXc6VhJ8sLf3Pg5Ea1",
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: "client_secret_basic",
  grant_types: ["authorization_code", "refresh_token", "client_credentials"],
  response_types: ["code"],
};

export const person = {
  username: "alice",
  claims: {
    name: "Alice Example",
    given_name: "Alice",
    family_name: "Example",
    locale: "en",
    email: "alice@example.com",
    email_verified: true,
  },
} as const;

/** The scopes that the scenarios request: `read` is the scope of an API, the others are about the person. */
export const scopes = {
  api: "read",
  apiPerson: "openid profile read",
  apiOffline: "openid offline_access read",
  person: "openid email",
  personOffline: "openid email offline_access",
} as const;
