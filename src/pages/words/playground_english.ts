/** The English words of the playground. */

/** Explanations of fields that are no parameters, or that mean something else in the form. */
export const fieldWords: ReadonlyMap<string, string> = new Map([
  ["client_id", "Which client sends the request. Any other id can be typed, too."],
  [
    "pkce",
    "How the login is bound to this client (PKCE): the request shows a hash, and the client keeps the verifier.",
  ],
  ["code_challenge", "Your own challenge, if you keep the verifier yourself."],
  ["client_authentication", "How the client proves at this endpoint who it is."],
  ["client_secret", "The password of the client."],
  ["client_assertion", "The signed JWT of the client, for the methods that end in _jwt."],
  ["access_token", "The access token that goes into the Authorization header."],
  ["initial_access_token", "The token that the server may require before it registers a client."],
  ["dpop", "A DPoP proof that your program has made for this request (RFC 9449)."],
  ["metadata", "What the client says about itself, as JSON (RFC 7591 §2)."],
  [
    "resource",
    "The APIs for which the token is meant, separated by spaces. They become aud of the access token.",
  ],
  ["more", "Any other parameters, as lines such as name=value. A name may occur twice."],
]);

export const playgroundWords = {
  heading: "Playground",
  lead:
    "Build a request, see what the server would answer and why, and send it. The check changes nothing at the server.",
  kinds: "Requests",
  noFields: "This request has no parameters.",
  moreFields: "More parameters",
  unknownField: "A parameter that a feature of this server reads.",
  secretField: "It stays out of the link to this form.",
  knownScopes: (names: string): string => `This server knows ${names}.`,
  show: "Show the request",
  labels: new Map([
    ["client_id", "Client (client_id)"],
    ["pkce", "PKCE"],
    ["client_authentication", "Client authentication"],
    ["access_token", "Access token"],
    ["initial_access_token", "Initial access token"],
    ["dpop", "DPoP proof"],
    ["metadata", "Client metadata"],
    ["more", "Other parameters"],
  ]) as ReadonlyMap<string, string>,
  choices: new Map([
    ["page", "This page makes the pair (S256)"],
    ["own", "My own challenge"],
    ["none", "None"],
  ]) as ReadonlyMap<string, string>,
  check: {
    heading: "What the server would answer",
    unreadable: "The request cannot be sent: its address is not valid or too long.",
    calls:
      "The server would first call another server. The check calls no other server, so only the real request shows the answer.",
    accepted: (status: number): string => `The server would accept this request, with status ${status}.`,
    asks: "The server would accept this request and show a page to the person.",
    answersAtOnce: "The server would accept this request and answer without a page.",
    refused: (description: string, status: number): string =>
      `The server would refuse this request with status ${status}: ${description}.`,
    refusedOnPage: (description: string): string =>
      `The server would refuse this request on a page of its own: ${description}.`,
    refusedToClient: (description: string): string =>
      `The server would send this error to the redirect URI: ${description}.`,
  },
  request: {
    heading: "The request",
    copy: "Copy as curl, fetch or .http",
    copies: { curl: "curl", fetch: "fetch", http: ".http file" },
    copyWhat: { curl: " the curl command", fetch: " the call of fetch", http: " the .http file" },
    start: "Start it",
    send: "Send it",
    needsScript:
      "Without scripts a browser cannot send the headers or the body of this request: copy it as curl.",
    inspector: "Requests of this kind in the inspector",
  },
  response: {
    heading: "The response",
    failed: "The browser received no response.",
    takeApart: "Take it apart",
    decoded: "decoded, not checked",
    inspector: "This request in the inspector",
    start: "Start the pushed request",
  },
  pkce: {
    heading: "The PKCE arithmetic",
    about:
      "The verifier belongs to this browser and this state. If the login ends at this server's own page /authorized, that page knows it, too.",
    verifier: "code_verifier",
    hash: "SHA-256 of it, in hexadecimal digits",
    challenge: "The same octets as base64url: code_challenge",
  },
  share: {
    heading: "Share this form",
    about: "The link opens this form with its fields. It holds no secret.",
    kind: "Link",
    copyWhat: " the link",
  },
} as const;
