/** Who takes part: the same clients and the same person on every server, in the words of RFC 7591. */
export const redirectUri = "http://127.0.0.1:9/cb";

export interface BenchClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: string;
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
}

/** Gets no refresh tokens: a code flow of it ends with its access token. */
export const publicClient: BenchClient = {
  client_id: "bench",
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code"],
  response_types: ["code"],
};

export const confidentialClient: BenchClient = {
  client_id: "bench-confidential",
  // Of letters and digits: they need no escape in a Basic header.
  client_secret: "Q7dYw2mZr9Tn4KbXc6VhJ8sLf3Pg5Ea1",
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: "client_secret_basic",
  grant_types: ["authorization_code", "refresh_token", "client_credentials"],
  response_types: ["code"],
};

export const person = {
  username: "alice",
  claims: { email: "alice@example.com", email_verified: true },
} as const;

/** What each row asks for; `read` is the scope of an API, the others speak of the person. */
export const scopes = {
  api: "read",
  apiOffline: "openid offline_access read",
  person: "openid email",
} as const;
