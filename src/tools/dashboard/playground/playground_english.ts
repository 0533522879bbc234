/** The English words of the playground. */

import { describeMoment } from "../../../server/pages/value.tsx";
import { type ByName, byName } from "../../../ground/values/fill.ts";
import { sayCount } from "../../../ground/values/say_count.ts";

export const englishPlayground = {
  /** Explanations of fields that are no parameters, or that mean something else in the form. */
  fields: byName({
    client_id: "Which client sends the request. Any other id can be typed, too.",
    pkce:
      "How the login is bound to this client (PKCE): the request shows a hash, and the client keeps the verifier.",
    code_challenge: "Your own challenge, if you keep the verifier yourself.",
    client_authentication: "How the client proves at this endpoint who it is.",
    client_secret: "The password of the client.",
    client_assertion: "The signed JWT of the client, for the methods that end in _jwt.",
    access_token: "The access token that goes into the Authorization header.",
    initial_access_token: "The token that the server may require before it registers a client.",
    dpop: "A DPoP proof that your program has made for this request (RFC 9449).",
    metadata: "What the client says about itself, as JSON (RFC 7591 §2).",
    resource:
      "The APIs for which the token is meant, separated by spaces. They become aud of the access token.",
    more: "Any other parameters, as lines such as name=value. A name may occur twice.",
  }) as ByName,
  heading: "Playground",
  sections: "Pages of the playground",
  lead:
    "Build a request, see what the server would answer and why, and send it. The check changes nothing at the server.",
  kinds: "Requests",
  /** The groups of requests, by endpoint or grant type. */
  groups: {
    "Sign in": ["authorize", "par", "logout"],
    Tokens: ["token", "revoke", "introspect"],
    Device: ["device_authorization", "device_verification", "urn:ietf:params:oauth:grant-type:device_code"],
    Clients: ["register"],
    Read: [],
  },
  noFields: "This request has no parameters.",
  moreFields: "More parameters",
  unknownField: "A parameter that a feature of this server reads.",
  secretField: "It stays out of the link to this form.",
  knownScopes: (names: string, takesOthers: boolean): string =>
    `This server knows ${names}${takesOthers ? ", and accepts any other name" : ""}.`,
  show: "Show the request",
  labels: byName({
    client_id: "Client (client_id)",
    pkce: "PKCE",
    client_authentication: "Client authentication",
    access_token: "Access token",
    initial_access_token: "Initial access token",
    dpop: "DPoP proof",
    metadata: "Client metadata",
    more: "Other parameters",
  }) as ByName,
  choices: byName({
    page: "This page makes the pair (S256)",
    own: "My own challenge",
    none: "None",
  }) as ByName,
  check: {
    heading: "What the server would answer",
    unreadable: "The request cannot be sent: its address is not valid or too long.",
    calls:
      "The server would first call another server. The check calls no other server, so only the real request shows the answer.",
    accepted: (status: number): string => `The server would accept this request, with status ${status}.`,
    asks: "The server would accept this request and show a page to the person.",
    answersAtOnce: "The server would accept this request and answer without a page.",
    refused: "The server would refuse this request with status {status}: {description}.",
    refusedOnPage: "The server would refuse this request on a page of its own: {description}.",
    refusedToClient: "The server would send this error to the redirect URI: {description}.",
  },
  request: {
    heading: "The request",
    copy: "Copy as curl, fetch or .http",
    copies: { curl: "curl, for a POSIX shell", fetch: "fetch", http: ".http file" },
    copyWhat: { curl: " the curl command", fetch: " the call of fetch", http: " the .http file" },
    start: "Start",
    send: "Send",
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
      "code_challenge = BASE64URL(SHA256(code_verifier)). The verifier belongs to this browser and this state. If the login ends at this server's own page /authorized, that page knows it, too.",
    verifier: "code_verifier",
    hash: "SHA-256 of it, in hexadecimal digits",
    challenge: "The same octets as base64url: code_challenge",
  },
  share: {
    heading: "Share this form",
    about:
      "The link opens this form with its fields. It has no secrets, and gets a new state and a new nonce each time.",
    kind: "Link",
    copyWhat: " the link",
  },
  reader: {
    heading: "Take something apart",
    verdict: (passed: number, failed: number): string =>
      failed > 0 ? `${sayCount(failed, "check")} failed` : `${sayCount(passed, "check")} passed`,
    pasteAnother: "Paste another text",
    label: "Callback URL, token, code, request object or proof",
    about: "The server reads the text and forgets it: nothing is stored, recorded or sent to another server.",
    send: "Take it apart",
    builder: "Build a request",
    flow: "The requests of this login in the inspector",
    problems: {
      empty: "The text is empty: paste a callback URL, a token, a code, a request object or a proof.",
      encrypted: "This is an encrypted JWT. Only the holder of the private key can read it.",
      json: "The text begins like JSON, but it is not a complete JSON object.",
      too_long: "The text is longer than 64,000 characters.",
      unknown:
        "This text is not a URL, a JWT or a JSON object, and it is not a code or token that this server knows. If it is a code or an opaque token, it is incomplete, belongs to another server, or is too old.",
    },
    kinds: {
      access_token: "Access token",
      authorization_request: "Authorization request",
      authorization_response: "Authorization response",
      client_assertion: "Client assertion",
      code: "Authorization code",
      dpop_proof: "DPoP proof",
      id_token: "ID token",
      jwt: "JWT",
      logout_token: "Logout token",
      refresh_token: "Refresh token",
      request_object: "Request object",
      response: "Response",
      unreadable: "Text",
    },
    aboutKinds: {
      access_token: "It lets the client call an API. The API checks it; the client does not look into it.",
      authorization_request: "The client sends the browser to the server with it.",
      authorization_response: "The browser brings it from the server to the client.",
      client_assertion: "The client proves by its signature who it is.",
      code: "The client exchanges it for tokens, once and soon.",
      dpop_proof: "It shows that the sender of one request holds a key.",
      id_token: "It tells the client who signed in. No API accepts it.",
      jwt: "Its header and claims do not say what it is for.",
      logout_token: "It tells the client that the session of a person has ended.",
      refresh_token: "The client gets new tokens with it. Each use replaces it by a new one.",
      request_object: "An authorization request that the client has signed.",
      response: "A response of a server, or another JSON object.",
      unreadable: "",
    },
    /** What a check expected or received, if that is no value of the text. */
    values: {
      after: (time: number): string => `after ${describeMoment(time)}`,
      anyOf: (values: readonly string[]): string => values.join(", or "),
      call: (call: string): string => `a call of ${call}`,
      client: (id: string): string => `client ${id}`,
      clientRedirectUri: "a redirect URI of a client",
      clientOfServer: "a client of this server",
      codeOfServer: "a code of this server",
      expired: (seconds: number): string => `expired ${seconds} seconds ago`,
      key: (kid: string, alg: string): string => `kid ${kid} with ${alg}`,
      keyOfOtherIssuer: "a key of its issuer, which is another one",
      misfit: (key: string): string => `${key}, but the signature does not fit the text`,
      noAlg: "no alg",
      noKid: "left out",
      noNonce: "no nonce",
      noSignature: "no signature",
      noType: "no typ",
      nonce: "a nonce",
      nonceOfRequest: "the nonce of the authorization request",
      notAfter: (time: number): string => `not after ${describeMoment(time)}`,
      notUsed: "not used yet",
      nothing: "nothing",
      oneUse: (seconds: number): string => `one use, within ${seconds} seconds`,
      revoked: "revoked",
      unknownCode: "a code that this server does not know, or has forgotten",
      unsendable: "an address that cannot be sent",
      used: "used already",
    },
  },
} as const;

export type PlaygroundWords = typeof englishPlayground;
