/** Counts the logins of a run, for misbehaviours that begin with the second one. */

import { changeSigned, type SignedParts } from "./changes.ts";
import type { Acts, Tools } from "./misbehaviour.ts";

interface CountedLogins {
  readonly acts: Required<Pick<Acts, "arrival" | "signed">>;
  /** The number of the last login that has begun. The first is 1. */
  number(): number;
  /** The next login begins, if the last one has its ID token. */
  begin(): void;
}

/** `sign` returns another text for an ID token, of a login or a refresh. `undefined` leaves it as it is. */
export function countLogins(
  sign: (jwt: SignedParts) => Promise<string> | string | undefined,
  tools: Tools,
): CountedLogins {
  let number = 1;
  let isEnded = false;
  const begin = () => {
    if (isEnded) number += 1;
    isEnded = false;
  };
  const { signed } = changeSigned("id_token", (jwt, _tools, { exchange }) => {
    if (exchange.facts.grantType === "authorization_code") isEnded = true;
    return sign(jwt) ?? jwt.text;
  })(tools);
  return {
    acts: {
      arrival(value, { endpoint }) {
        if (endpoint === "authorize" || endpoint === "par") begin();
        return value;
      },
      signed: signed!,
    },
    number: () => number,
    begin,
  };
}
