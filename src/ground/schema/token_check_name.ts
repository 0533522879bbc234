/** The names of the checks of a token, which the judge makes and for which pages have words. */

export type TokenCheckName =
  | "signature"
  | "alg"
  | "typ"
  | "iss"
  | "aud"
  | "azp"
  | "exp"
  | "iat"
  | "nbf"
  | "nonce"
  | "at_hash"
  | "acr"
  | "auth_time"
  | "sub"
  | "client_id"
  | "scope";
