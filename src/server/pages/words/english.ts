/** The English words of the pages that people without the control plane see. Those in `en.json` have translations. */

import { type ByName, byName } from "../../../ground/values/fill.ts";
import en from "./en.json" with { type: "json" };
import { errorsWords } from "./errors_english.ts";
import { walkWords } from "./walk_english.ts";

const authenticationWords: ByName = byName({
  none: "Public (PKCE)",
  client_secret_basic: "Confidential: secret, by HTTP Basic",
  client_secret_post: "Confidential: secret, in the request body",
  client_secret_jwt: "Confidential: a JWT signed with its secret",
  private_key_jwt: "Confidential: a JWT signed with its own key",
  tls_client_auth: "Confidential: a TLS certificate",
  self_signed_tls_client_auth: "Confidential: a self-signed TLS certificate",
});

/** Returns the remaining time in words. With scripts, the page counts down in minutes and seconds instead. */
function about(seconds: number): string {
  if (seconds < 45) return "in less than a minute";
  if (seconds < 90) return "in about a minute";
  return `in about ${Math.round(seconds / 60)} minutes`;
}

/** The words that no language translates. */
const untranslated = {
  copy: {
    action: "Copy",
    // The script puts the name of the copied value in the place of #.
    done: "Copied#.",
    failed: "Selected#: copy it with your keyboard.",
    rest: "… stands for the rest of a long value. A copy has the whole value.",
  },

  home: {
    signedIn: "Signed in at this browser:",
    signOut: "Sign out",
    title: "Home",
    heading: "OAuth 2.1 authorization server",
    start: "Start New Authorization",
    startWith: (client: string): string => ` with ${client}`,
    endsAt: (uri: string): string => `The login ends at ${uri}`,
    startNote: "as {client}.",
    startNoteElsewhere: "as {client}, to go on to {uri} with a code.",
    otherClients: "Other clients",
    startInApplication: (sources: readonly string[]): string =>
      `Start in the application: this client must send each request as a ${sources.join(" and a ")}.`,
    hidden:
      "Clients and people are not listed here: that is the default where other machines can reach the server.",
    automatic: "Sign-in and consent are automatic here: each request is answered as {person}.",
    describesItselfIn: {
      registration: {
        tag: "Registered itself",
        note: "This client is not configured. It registered itself at this server.",
      },
      document: {
        tag: "Client document",
        note: "This client is not configured. The document at its id describes it.",
      },
    },
    firstUseTag: "First use",
    firstUseReason:
      "This client is not configured. It keeps the redirect URI that its first use was approved with.",
    secretOpen: "This secret is for demonstrations and protects nothing.",
    issuer: "Issuer",
    metadata: "Discovery document: {link}",
    tryClient: "Try a client:",
    playground: "Build a request yourself",
    testApi: "Test an API:",
    getToken: "Get a token for it",
    keys: "It verifies tokens with these keys:",
    cannotStart: {
      device: "People sign in with a code at /device.",
      no_code_grant: "People cannot sign in to this client: its grant_types lack authorization_code.",
      no_redirect_uri: "No login can start here: this client has no redirect_uris.",
    },
    clients: "Clients",
    noClients: "No client is configured.",
    firstUse: (worksForApps: boolean): string =>
      `Any other client id works too: use it once with a redirect URI on this computer${
        worksForApps ? " or of an app" : ""
      }, and approve the request. From then on, the client must use that URI.`,
    clientId: "Client id",
    client: "Client",
    allClients: (count: number): string => `All ${count} clients`,
    moreRedirectUris: (count: number): string => ` and ${count} more`,
    authentication: "Kind",
    authenticationOf: (method: string): string =>
      authenticationWords.get(method) ?? `Authenticates by ${method}`,
    redirectUris: "Redirect URIs",
    noRedirectUris: "None registered",
    people: "People",
    noPeople: "No people are configured.",
    allPeople: (count: number): string => `All ${count} people`,
    person: "Person",
    username: "Username",
    email: "Email",
    signsIn: "Signs in",
    tokens: "Tokens",
    oneClick: "with one click",
    password: "with a password",
    endpoints: "Endpoints",
    copyIssuer: " the issuer",
    copyEndpoint: (name: string): string => ` the ${name}`,
    copyClientId: (client: string): string => ` the id of ${client}`,
    copySecret: (client: string): string => ` the secret of ${client}`,
  },

  callback: {
    success: "Authorization Successful!",
    successLead: "The client has an authorization code. Exchange it for tokens.",
    unknownLead:
      "This address holds a code that the server does not know, or no longer knows: the token endpoint will refuse it. Start a new authorization.",
    expiredLead: "The client got an authorization code, which has expired since.",
    usedLead: "The client got an authorization code, which has been sent to the token endpoint.",
    failure: "Authorization Failed",
    failureLead: "The client got no authorization code.",
    noResponseLead: "This address has neither a code nor an error: nothing was authorized here.",
    encrypted: "The response is encrypted",
    encryptedLead: "Only the client can decrypt it and see whether the authorization succeeded.",
    refusedJwtLead:
      "The response is a JWT that a client must refuse (JARM §2.4). The failed checks below say why.",
    responseJwt: "The response as a JWT",
    jwtOfResponse: "JWT of the response",
    foreignHeading: "A code from another issuer",
    foreignCodeLead: "A client stops here and starts a new authorization.",
    foreignIssuer:
      "This answer names another issuer, {issuer}. Do not send the code anywhere: it may be part of an attack that mixes up two servers (RFC 9207).",
    error: "Error",
    errorDescription: "Description",
    code: "Authorization code",
    state: "State",
    redirectUri: "Redirect URI",
    tokenEndpoint: "Token endpoint",
    copyCode: " the code",
    copyState: " the state",
    copyRedirectUri: " the redirect URI",
    copyTokenEndpoint: " the token endpoint",
    shell: "POSIX shell",
    copyVerifier: " the code verifier",
    ends: "The code expires at {time}, {left}",
    // The full stop is a part of this text, because text that follows a countdown moves.
    endsAbout: (seconds: number): string => `${about(seconds)}.`,
    /** `{left}` is where the script writes minutes and seconds. */
    endsIn: "in {left}.",
    endsNow: "The code has just expired. The token endpoint will refuse it: start a new authorization.",
    ended: "The code expired at {time}. The token endpoint will refuse it: start a new authorization.",
    used: "The code has been exchanged. It works only once: the token endpoint will refuse it from now on.",
    steps: "Next steps",
    stepCopy: "Copy the authorization code:",
    stepVerifier:
      "Use the PKCE code verifier whose challenge was in the authorization request. Only the client that made it knows it.",
    stepVerifierKnown:
      "Use the PKCE code verifier whose challenge was in the authorization request. The login began on this server, so here it is: {verifier}",
    stepPost: "POST both to the token endpoint {endpoint} as one of these two requests does.",
    examples: "Example token requests",
    examplesNote: "Ready to paste into a POSIX shell. Replace what is marked {sample} first.",
    sample: "<LIKE_THIS>",
    clients: {
      public: { heading: "Public client", copy: " the request of a public client" },
      confidential: { heading: "Confidential client", copy: " the request of a confidential client" },
    },
    publicNote: "It has no secret: it sends its {id} in the body, and must send the {verifier}.",
    basicNote:
      "It identifies itself with HTTP Basic; curl turns {option} into the header {header}. The id and the secret in it are form-encoded (RFC 6749 §2.3.1).",
    basicHeader: "Authorization: Basic <base64(client_id:client_secret)>",
    postNote: "It sends its {id} and its {secret} in the body.",
    assertionNote: "It identifies itself with a signed JWT, sent as {assertion}.",
    yours: "Yours",
    yoursNote: "The code was given to a client of this kind. ",
    others: "Other kind",
    othersNote: "For comparison only: the server refuses this code from such a client. ",
    neither: "The client of this code authenticates by {method}, which neither request shows.",
    notes: "Notes",
    noteOnce: "The code is single-use: it can be exchanged once only.",
    noteQuick: "The code expires quickly, typically 5 to 10 minutes after it was issued.",
    noteRedirect: "The {parameter} must be identical to the one in the authorization request.",
    noteVerifier:
      "Public clients must send the {parameter}: without it, the token endpoint refuses the code.",
    onward: "Where to go from here",
    entry: "See why in the inspector",
    home: "Back to Home",
  },

  /** What a page of a refusal says to the developer of the client. */
  refused: {
    endpoints: "What is here",
    programs: "Applications send their requests here. A browser has nothing to open at this address.",
    send: "What applications send",
    sendBody: "Body",
    sendParams: "Parameters",
    statusOf: (status: number): string => `Status ${status}`,
    error: "Error",
    change: "To fix it:",
    byHand: "By hand:",
    spec: "Rule",
    expected: "Expected",
    received: "Received",
    wouldHaveGoneTo: "Would have gone to",
    wouldHaveGoneToNote:
      "That address is not configured, so the answer stays here. After a first approval, it goes there: the terminal and the inspector then explain it.",
    instead: "If the application cannot change: the exception, and what it gives up",
    remedy: "What would allow it",
    remedyNote:
      "If this request should work, add this to the configuration: a file for {flag}, or the options of {call}.",
    remedyKind: "Configuration",
    copyRemedy: " the configuration",
    entry: "This request in the inspector",
    correct: "Correct it in the playground",
    write: "Write a request in the playground",
    configure: "See the configuration that allows it",
    exchange: "Request id",
    exchangeNote: "The server's log tells more under this id.",
  },

  resource: {
    title: "A small API to try tokens",
    lead:
      "It says who calls it, with which access token. A browser that opens its address sends no token, and gets the status 401.",
    trial: "Try it",
    person: "For whom",
    try: "Call it with a new token",
    call: "How to call it",
    copyCall: " the request",
    proofNote:
      "Clients of this server must prove a key (RFC 9449), so each call has a new proof in the header {header}.",
    audienceNote:
      "The token must be for this address: the client names it in the parameter {param} of the authorization request.",
    metadata: "Metadata",
  },

  walk: walkWords as typeof walkWords,

  errors: errorsWords as typeof errorsWords,
} as const;

export type PeopleWords = typeof en;

export type Words = PeopleWords & typeof untranslated & {
  /** The language as a BCP 47 tag. */
  readonly language: string;
};

export const english: Words = { language: "en", ...en, ...untranslated };
