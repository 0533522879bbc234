/** The text of the configuration file that `postern init` writes. Its comments explain each part. */

/** Returns JSON with comments. The members in comments are valid, too, and show more settings. */
export function describeFirstConfiguration(
  { startCommand, schema, clientSecret }: Readonly<
    Record<"startCommand" | "schema" | "clientSecret", string>
  >,
): string {
  return `// The configuration of a Postern server. Start the server with
//
//   ${startCommand}
//
// With --watch, the running server applies each change of this file.
{
  // Editors use this schema to complete and check the file.
  "$schema": ${JSON.stringify(schema)},

  // The URL that identifies the server to applications. Without it: http://localhost and the port.
  // "issuer": "http://localhost:9000",

  // The applications. The server knows only these, and the demo clients are off.
  "clients": [
    {
      // A web application whose server keeps a secret.
      "client_id": "web",
      "client_name": "My web application",
      // This secret was made at random. It is for development, so do not use it anywhere else.
      "client_secret": ${JSON.stringify(clientSecret)},
      // Where people return after they have signed in. The application must send exactly this URL.
      // For http://localhost and http://127.0.0.1, any port is right.
      "redirect_uris": ["http://localhost:3000/callback"],
      // Where people return after they have signed out.
      "post_logout_redirect_uris": ["http://localhost:3000/"]
    },
    {
      // An application in the browser, on a phone or on the command line. It cannot keep a secret, so it has
      // none, and proves itself with PKCE instead.
      "client_id": "app",
      "client_name": "My app",
      "redirect_uris": ["http://localhost:5173/callback"]
    }
  ],

  // true: the server also accepts an unknown client_id when a person approves its first request.
  // "firstUse": true,

  // The people who can sign in. They need one click, because they have no password.
  "people": [
    {
      "username": "alice",
      // "password": "open sesame",

      // Facts about the person, for the application. Add any others.
      "claims": {
        "name": "Alice Adams",
        "email": "alice@example.com",
        "email_verified": true,
        "roles": ["admin"]
      }
    },
    {
      "username": "bob",
      "claims": {
        "name": "Bob Brown",
        "email": "bob@example.com",
        "email_verified": true,
        "roles": ["reader"]
      }
    }
  ],

  // "auto" signs alice in and approves each request without a page, for tests. "auto:bob" does it with bob.
  // "login": "auto",

  // The claims that access tokens and ID tokens contain, for any scope that the application requests.
  "claimsIn": {
    "accessToken": ["roles"],
    "idToken": ["name", "email", "roles"]
  },

  // The permissions that applications can request. The consent page shows these sentences.
  // The scopes of OpenID Connect need no entry: openid, profile, email, address, phone, offline_access.
  "scopes": {
    "read": "See your orders",
    "write": "Place orders in your name"
  },

  // The scope of a request that names none.
  "defaultScope": "read",

  // The APIs that accept the access tokens. A client names one as "resource", and the token's "aud" is this URL.
  "resources": ["https://api.example.com"],

  // How long things are valid: "90s", "10m", "1h", "30d". Without this, an access token is valid for an hour.
  "lifetimes": {
    // "code": "5m",
    // "session": "8h",
    // "refreshIdle": "30d",
    "accessToken": "15m"
  }
}
`;
}
