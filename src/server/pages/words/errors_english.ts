/** The English words for the error codes of OAuth and OpenID Connect: what each means, and what to change. */

import { type ByName, byName } from "../../../ground/values/fill.ts";

interface ErrorWords {
  readonly meaning: string;
  readonly cause: string;
  readonly change: string;
}

/** A Map, because a response may name any text as its error, also `constructor`. */
const codes: ByName<ErrorWords> = byName({
  invalid_request: {
    meaning: "The request lacks a parameter, has a parameter twice, or has a wrong value in one.",
    cause: "Most often response_type, code_challenge or code_challenge_method is missing or misspelt.",
    change: "Correct the parameter that the description names.",
  },
  unauthorized_client: {
    meaning: "The client may not make this request.",
    cause: "The registration of the client lacks the grant type or the response type that the request uses.",
    change: "Add authorization_code to the grant_types of the client, and code to its response_types.",
  },
  access_denied: {
    meaning: "The person or the server denied the request.",
    cause: "The person pressed Deny, which is a normal end of a login.",
    change: "Let the application offer another try. To go on here, start a new authorization and approve it.",
  },
  unsupported_response_type: {
    meaning: "The server does not support this response_type.",
    cause:
      "The request asks for a token in the response. OAuth 2.1 has removed the implicit and hybrid flows.",
    change: "Send response_type=code.",
  },
  invalid_scope: {
    meaning: "A requested scope is unknown, malformed, or not allowed for this client.",
    cause: "A scope is misspelt, or the scopes are separated by commas instead of spaces.",
    change: "Request only scopes that the server knows and that the client has registered.",
  },
  server_error: {
    meaning: "The server failed while it answered the request.",
    cause: "The server has a fault, or a test lets it fail on purpose.",
    change: "Look for the cause in the log of the server. The request itself may be right.",
  },
  temporarily_unavailable: {
    meaning: "The server cannot answer now.",
    cause: "The server is overloaded, its store does not answer, or a test holds it back.",
    change: "Send the same request again after a few seconds.",
  },
  interaction_required: {
    meaning: "The server must ask the person something, but the request forbids every page.",
    cause: "The request has prompt=none, which is for checks without a page.",
    change: "Send the request again without prompt=none.",
  },
  login_required: {
    meaning: "The person must sign in, but the request forbids every page.",
    cause:
      "The request has prompt=none, and no person is signed in at this browser. A browser also sends no cookies to the server from an iframe of another site.",
    change: "Send the request again without prompt=none, so that the person can sign in.",
  },
  account_selection_required: {
    meaning: "The person must choose an account, but the request forbids every page.",
    cause: "The request has prompt=none, and several people are signed in at this browser.",
    change:
      "Send the request again without prompt=none, or name the person with login_hint or id_token_hint.",
  },
  consent_required: {
    meaning: "The person must approve the request, but the request forbids every page.",
    cause: "The request has prompt=none, and the person has not approved this scope for this client before.",
    change: "Send the request once without prompt=none. After the approval, prompt=none works.",
  },
  invalid_request_uri: {
    meaning: "The request_uri is wrong, has expired, or was used before.",
    cause: "A pushed request lives for a minute or two and is good for one login.",
    change: "Push the request again, and use the new request_uri immediately (RFC 9126 §2.2).",
  },
  invalid_request_object: {
    meaning: "The signed request is not valid.",
    cause: "Its signature, its audience or its lifetime is wrong, or it names another client.",
    change: "Sign it with a registered key of the client. Set aud to the issuer, and exp to a time soon.",
  },
  request_not_supported: {
    meaning: "The server does not support the parameter request.",
    cause: "The client signs its requests, and the server does not read them.",
    change: "Send the parameters without a request object.",
  },
  request_uri_not_supported: {
    meaning: "The server does not support this request_uri.",
    cause:
      "The request_uri is an address of the client. Many servers accept only addresses of pushed requests.",
    change: "Push the request (RFC 9126), or send its parameters.",
  },
  registration_not_supported: {
    meaning: "The server does not support the parameter registration.",
    cause: "The client describes itself in the authorization request.",
    change: "Register the client before the request.",
  },
  invalid_target: {
    meaning: "The resource of the request is unknown, malformed, or not allowed.",
    cause:
      "The parameter resource is no absolute URI, has a fragment, or names an API that the server does not know.",
    change: "Send the exact URI of the API, or leave resource out.",
  },
  unmet_authentication_requirements: {
    meaning: "The server cannot authenticate the person in the way that the request demands.",
    cause: "The request asks for an acr that the server does not offer.",
    change: "Ask for one of the acr_values_supported of the metadata, or ask for it without essential.",
  },
  invalid_authorization_details: {
    meaning: "The authorization_details of the request are malformed or not allowed.",
    cause: "The type is unknown, or a member is missing.",
    change: "Send only types of authorization_details_types_supported, with their members.",
  },
  invalid_client: {
    meaning: "The server does not know the client, or its credentials are wrong.",
    cause:
      "The client_id or the secret is misspelt, or the client uses another method than it has registered.",
    change: "Compare the client_id, the secret and token_endpoint_auth_method with the registration.",
  },
  invalid_grant: {
    meaning: "The code or the refresh token is not valid for this request.",
    cause:
      "It has expired, was used before, was issued to another client, or the redirect_uri or the code_verifier is another one than before.",
    change:
      "Start a new authorization, and exchange its code once with the same redirect_uri and its verifier.",
  },
  unsupported_grant_type: {
    meaning: "The server does not support this grant_type.",
    cause: "The grant_type is misspelt, or it is password, which OAuth 2.1 has removed.",
    change: "Use one of the grant_types_supported of the metadata.",
  },
  invalid_token: {
    meaning: "The access token does not work.",
    cause: "It has expired, was revoked, or is for another audience.",
    change: "Refresh it, or start a new authorization.",
  },
  insufficient_scope: {
    meaning: "The access token lacks a scope that the request needs.",
    cause: "The authorization request did not ask for that scope.",
    change: "Start a new authorization with the scope that the response names.",
  },
  invalid_dpop_proof: {
    meaning: "The DPoP proof of the request is missing or wrong.",
    cause: "The proof is for another URL, method or token, is too old, or was used before.",
    change: "Sign a new proof for each request (RFC 9449 §4.2).",
  },
  use_dpop_nonce: {
    meaning: "The DPoP proof needs the nonce of the server.",
    cause: "This is the first request, or the nonce has expired.",
    change: "Send the request again with the nonce of the header DPoP-Nonce.",
  },
});

export const errorsWords = {
  heading: "About this error",
  meaning: "Meaning",
  cause: "Usual cause",
  change: "What to change",
  accepted: "What the server accepts",
  /** Explains the code. `undefined` for a code that no known specification has. */
  explain: (code: string): ErrorWords | undefined => codes.get(code),
  /** About an address that has neither a code nor an error. */
  noResponseHeading: "What this means",
  noResponse: {
    meaning: "The address is no authorization response.",
    cause:
      "The page was opened by hand, or the response came behind the # of the address (response_mode=fragment), which browsers do not send to servers.",
    change: "Start a new authorization.",
  },
  unknown:
    "No specification that this server knows has this code. Ask the operator of the server that sent it.",
} as const;
