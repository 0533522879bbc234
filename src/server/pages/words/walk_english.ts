/** The English words of the pages that follow `/authorized`: the exchange of a code, and what the tokens are good for. */

import type { DecodedToken, WalkBlocker, WalkStepName, WalkTokenState } from "../../oauth/contracts/pages.ts";

interface WalkStepWords {
  readonly button: string;
  /** What the button does. */
  readonly about: string;
  readonly done: WalkOutcomeWords;
  readonly refused: WalkOutcomeWords;
}

interface WalkOutcomeWords {
  readonly heading: string;
  readonly text: string;
}

type TokenKind = DecodedToken["kind"];

const steps: Readonly<Record<WalkStepName, WalkStepWords>> = {
  exchange: {
    button: "Exchange the code",
    about: "Sends the token request of this client, and shows the request, the response and the tokens.",
    done: {
      heading: "The code was exchanged",
      text:
        "The code, the verifier and the client fit together, so the server issued tokens. The code is used up now.",
    },
    refused: {
      heading: "The server refused the code",
      text: "The response says what does not fit. No tokens were issued.",
    },
  },
  userinfo: {
    button: "Call userinfo",
    about: "Sends the access token, and gets the claims of the person.",
    done: {
      heading: "Userinfo answered",
      text:
        "The access token is valid and has the scope openid, so the server returned the claims of the person.",
    },
    refused: { heading: "Userinfo refused the access token", text: "The header www-authenticate says why." },
  },
  refresh: {
    button: "Refresh",
    about: "Sends the refresh token, and gets new tokens.",
    done: {
      heading: "The tokens were refreshed",
      text:
        "The response has a new access token. Its refresh token replaces the one that was sent, which must not be used again.",
    },
    refused: {
      heading: "The server refused the refresh token",
      text: "The response says what does not fit: the refresh token, or the credentials of the client.",
    },
  },
  introspect: {
    button: "Introspect",
    about: "Asks the server, as this client, whether the access token is active.",
    done: {
      heading: "The server described the access token",
      text: "The member active says whether the token works now. An inactive token has no other members.",
    },
    refused: {
      heading: "The server refused the introspection",
      text: "Only clients that prove who they are may ask about tokens.",
    },
  },
  revoke: {
    button: "Revoke",
    about: "Ends all tokens of the login, or without a refresh token only one.",
    done: {
      heading: "The token was revoked",
      text:
        "The server answers in the same way if it does not know the token, so the answer alone proves nothing.",
    },
    refused: {
      heading: "The server refused to revoke the token",
      text: "A client may revoke its own tokens only.",
    },
  },
  call_api: {
    button: "Call the API",
    about: "Sends the access token to the protected API of this server.",
    done: { heading: "The API answered", text: "The access token is valid, and the API is in its audience." },
    refused: { heading: "The API refused the access token", text: "The header www-authenticate says why." },
  },
  replay_code: {
    button: "Replay the code",
    about: "Sends the code again. It is refused on purpose, and its tokens end.",
    done: {
      heading: "The code worked twice",
      text:
        "A correct server refuses a used code. This server is probably wrong on purpose: see its misbehaviours.",
    },
    refused: {
      heading: "The code did not work twice",
      text:
        "A second use means that the code was copied or sent twice. The server cannot tell which request is genuine, so it refuses the code and ends the tokens of the first use.",
    },
  },
  tamper_verifier: {
    button: "Send a wrong verifier",
    about: "Sends a wrong verifier. It is refused on purpose, and no token ends.",
    done: {
      heading: "A wrong verifier was accepted",
      text:
        "A correct server refuses a verifier whose hash is not the code challenge. This server is probably wrong on purpose: see its misbehaviours.",
    },
    refused: {
      heading: "The wrong verifier was refused",
      text:
        "The SHA-256 hash of the verifier must be the code_challenge of the authorization request. A thief who has only the code cannot know the verifier. A wrong verifier proves nothing, so the tokens of a code that was used before stay valid.",
    },
  },
  reuse_refresh_token: {
    button: "Reuse the refresh token",
    about: "Sends the replaced refresh token. It is refused on purpose, and all tokens end.",
    done: {
      heading: "The old refresh token worked again",
      text:
        "The server allows this for a short time after a refresh (refreshGrace), and answers with the same new refresh token. After that time, or without it, the answer is wrong.",
    },
    refused: {
      heading: "The old refresh token was refused",
      text:
        "Each refresh replaces the refresh token. If an old one comes again, a thief or the client has a copy. The server cannot tell who is who, so it ends all tokens of the login.",
    },
  },
};

const blockers: Readonly<Record<WalkBlocker, string>> = {
  assertion_client:
    "This client signs an assertion with a key of its own. This server does not have that key, so the client must send the request itself. The command below shows the request.",
  bound_to_key:
    "The tokens of this client are bound to a key (DPoP). Only the client can sign the proof, so the client must send the request itself. The command below shows the request without the proof.",
  code_expired: "The code has expired. Start a new authorization.",
  code_used: "The code has been used. It works only once.",
  no_access_token: "There is no access token.",
  no_api: "This server has no API of its own. The flag `--resource /resource` adds one.",
  no_old_refresh_token: "No refresh token has been replaced yet. Refresh first.",
  no_openid: "The access token lacks the scope openid.",
  no_refresh_token: "The client got no refresh token. Its grant_types must have refresh_token.",
  no_verifier: "The authorization request had no code_challenge, so there is no verifier.",
  not_for_api: "The access token is for another audience.",
  not_for_userinfo: "The access token is for an API, and its audience does not have this server.",
  not_offered: "This server does not have this endpoint.",
  not_redeemed: "The code has not been exchanged yet.",
  public_client: "A public client may not introspect, because it cannot prove who it is.",
  too_many_steps: "The record of these steps is full. Start a new authorization.",
};

const states: Readonly<Record<WalkTokenState, string>> = {
  works: "works",
  other_issuer: "of another issuer",
  early: "not valid yet",
  expired: "has expired",
  expired_by_test: "expired by a test",
  replaced: "replaced by a newer one",
  revoked: "revoked",
  grant_revoked: "ended with its login",
  client_gone: "its client is gone",
  person_gone: "its person is gone",
  person_disabled: "its person is disabled",
  password_changed: "ended, because the password was changed",
  scope_removed: "its scope is gone",
  signed_out: "ended with the sign-in",
  not_known: "not recognised",
};

const kinds = { access_token: "Access token", refresh_token: "Refresh token", id_token: "ID token" } as const;

export const walkWords = {
  steps: steps as Readonly<Record<WalkStepName, WalkStepWords>>,
  blockers: blockers as Readonly<Record<WalkBlocker, string>>,
  states: states as Readonly<Record<WalkTokenState, string>>,
  title: "Authorization, step by step",
  exchangeLead: "This login began on this server, so the server can send the token request for you.",
  foreignLead:
    "This login began in another application. Give the values that only the application knows, and this server sends its token request.",
  verifier: "PKCE code verifier",
  verifierNote: "43 to 128 characters. The application made it before the authorization request.",
  clientId: "Client id",
  secret: "Client secret",
  secretNote: "The secret goes into this request only. It is not stored, and no page shows it.",
  secretPerhaps: "Only if the client has one.",
  seeSteps: "See the steps that were taken with this code",
  client: "Client",
  person: "Person",
  scope: "Scope",
  responseIssuer: "Issuer of the response (iss)",
  issuerMatches: "This is the issuer of this server (RFC 9207).",
  /** The heading and the explanation of a refusal that has nothing to do with the rule of its button. */
  refusedOtherwise: {
    heading: "The server refused the request",
    text: "It refused for another reason than the one that this button shows. The error says which.",
  },
  came: "What came",
  cameHeads: {
    token: "Token",
    begins: "Begins with",
    expires: "Expires",
    audience: "For",
    state: "Now",
  },
  forClient: (client: string): string => `the client ${client}`,
  forServer: "this server, at its token endpoint",
  unknownLife: "not said",
  readOnce: "read once",
  stepOf: (step: number): string => `step ${step}`,
  claimsOf: (step: number): string => `claims, step ${step}`,
  olderTokens: (count: number): string =>
    count === 1 ? "1 token that has ended" : `${count} tokens that have ended`,
  stepsHeading: "Steps",
  entry: "Inspector",
  entryOf: (step: number): string => ` on step ${step}`,
  openStep: "Open this step, with all that it has",
  request: "Request",
  response: "Response",
  copyRequest: " the request",
  otherHeaders: "Other headers",
  copyResponse: " the response",
  rule: "The rule",
  ended: "What it ended",
  endedNothing: "Nothing. All tokens that worked before still work.",
  endedTokens: "These tokens worked before this step, and do not work after it:",
  proof: (count: number): string =>
    count === 1
      ? "The server was asked whether the token still works"
      : "The server was asked whether the tokens still work",
  proofRequests: "These requests and their responses",
  keys: "The keys that verify the signatures (JWKS)",
  kinds: kinds as Readonly<Record<TokenKind, string>>,
  endedNow: (kind: TokenKind, state: WalkTokenState): string =>
    `Not offered: the ${kinds[kind].toLowerCase()} is useless now (${states[state]}).`,
  tokenOf: (kind: TokenKind, step: number): string => `${kinds[kind]} of step ${step}`,
  opaque: {
    access_token:
      "The access token is opaque: only this server can tell what it means. An API asks by introspection.",
    refresh_token: "The refresh token is opaque: only this server can read it.",
    id_token: "The ID token is not a JWT. A client must refuse it.",
  },
  next: "What you can do",
  use: "Use the tokens",
  rules: "See a refusal on purpose",
  apiAudience: "It is for {audience}, and the API is {api}.",
  apiStart: "Start a login for the API",
  tryAgain: "Try the exchange with other values",
  stepUp: "Log in with the second factor",
} as const;
