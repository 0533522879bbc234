/** The token response as a test gets it. */

import { textOf } from "../../http/answer_body.ts";
import type { Answer } from "../../http/message.ts";
import type { Facts } from "../../oauth/journal.ts";
import { parseJsonObject } from "../../schema/json_object.ts";
import { describeChange, readReceived } from "../journal/explain.ts";
import { refusedBy } from "../journal/refused.ts";

/**
 * The members of a token response, under their own names. Members that a hook adds are present too: narrow with
 * `"tenant_id" in tokens`.
 */
// A type and not an interface, so that it is assignable to any JSON object.
export type Tokens = {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
};

export function readTokens(doing: string, answer: Answer, facts: Partial<Facts> | undefined): Tokens {
  if (answer.status !== 200) {
    throw refusedBy(doing, facts, readReceived(answer), "tokens or an OAuth error");
  }
  const members = parseJsonObject(textOf(answer.body));
  if (typeof members?.["access_token"] === "string") return members as Tokens;
  throw new Error(
    `Cannot ${doing}: expected a token response, but the token endpoint answered 200 ` +
      `${members === undefined ? "with no JSON object" : "without an access_token"}` +
      describeChange(facts?.altered ?? []),
  );
}
