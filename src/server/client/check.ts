/** The checks that a client or an API must make itself, with their rules, and those of an authorization response. */

import { present } from "../../ground/values/present.ts";

export interface Check<Name extends string = string> {
  readonly name: Name;
  /** The section that demands the check. */
  readonly rule: string;
  readonly level: Level;
  /** `absent`: nothing is to be compared, and no rule asks for it here. `open`: who checks knows no other value. */
  readonly result: "passed" | "failed" | "absent" | "open";
  readonly expected?: string | number | readonly string[];
  readonly received?: unknown;
}

export type Level = "must" | "should" | "may";

export type Rules<Name extends string> = Readonly<
  Partial<Record<Name, readonly [level: Level, rule: string]>>
>;

export interface Checks<Name extends string> {
  decide(
    name: Name,
    result: Check["result"] | boolean,
    values?: Pick<Check, "expected" | "received">,
  ): Check<Name>;
  /** Equal values pass. If neither is there, the check is absent. */
  compare(name: Name, expected: string | undefined, received: unknown): Check<Name>;
}

export function checksOf<Name extends string>(rules: Rules<Name>): Checks<Name> {
  const decide: Checks<Name>["decide"] = (name, result, { expected, received } = {}) => {
    const [level, rule] = rules[name]!;
    return {
      name,
      level,
      rule,
      result: typeof result === "string" ? result : result ? "passed" : "failed",
      ...present({ expected, received }),
    };
  };
  return {
    decide,
    compare: (name, expected, received) =>
      expected === undefined && received === undefined
        ? decide(name, "absent")
        : decide(name, expected === received, { ...present({ expected }), received }),
  };
}

export type ResponseCheckName = "state" | "response_iss";

const responseRules: Rules<ResponseCheckName> = {
  state: ["must", "OAuth 2.1 §4.1.2"],
  response_iss: ["must", "RFC 9207 §2.4"],
};

export interface ResponseOptions {
  /** The state of the authorization request, if the request is known. */
  readonly sent: { readonly state: string | undefined } | undefined;
  /** The issuer that the client sent the request to. Absent: the server does not name itself in responses. */
  readonly issuer: string | undefined;
}

export function judgeResponse(
  { state, iss }: Readonly<Record<"state" | "iss", string | undefined>>,
  { sent, issuer }: ResponseOptions,
): readonly Check<ResponseCheckName>[] {
  const { compare, decide } = checksOf(responseRules);
  return [
    sent !== undefined
      ? compare("state", sent.state, state)
      : decide("state", state === undefined ? "absent" : "open", { received: state }),
    issuer === undefined ? decide("response_iss", "absent") : compare("response_iss", issuer, iss),
  ];
}
