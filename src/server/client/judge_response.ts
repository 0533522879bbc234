/** Judges an authorization response as its client must (OAuth 2.1 §4.1.2; RFC 9207 §2.4). */

import { type Check, checksOf, type Rules } from "./check.ts";

export type ResponseCheckName = "state" | "response_iss";

const rules: Rules<ResponseCheckName> = {
  state: ["must", "OAuth 2.1 §4.1.2"],
  response_iss: ["must", "RFC 9207 §2.4"],
};

export interface ResponseTerms {
  /** The state of the authorization request, if the request is known. */
  readonly sent: { readonly state: string | undefined } | undefined;
  /** The issuer that the client sent the request to. Absent: the server does not name itself in responses. */
  readonly issuer: string | undefined;
}

export function judgeResponse(
  { state, iss }: Readonly<Record<"state" | "iss", string | undefined>>,
  { sent, issuer }: ResponseTerms,
): readonly Check<ResponseCheckName>[] {
  const { compare, decide } = checksOf(rules);
  return [
    sent !== undefined
      ? compare("state", sent.state, state)
      : decide("state", state === undefined ? "absent" : "open", { received: state }),
    issuer === undefined ? decide("response_iss", "absent") : compare("response_iss", issuer, iss),
  ];
}
