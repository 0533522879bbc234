/** Functions for differences that several providers have. */

import { textOf } from "../../../server/http/body.ts";
import type { Answer } from "../../../server/http/message.ts";
import type { Members } from "../../../server/oauth/members.ts";
import { changeMetadata, changeParams, setParam, without } from "../../../server/oauth/seams.ts";
import { parseJsonObject } from "../../../server/schema/json_object.ts";
import { changeResponse, changeTokens } from "../changes.ts";
import type { ActContext, Acts } from "../misbehaviour.ts";
import type { Difference, Laxness, Source } from "./look_alike.ts";

const issPromise = "authorization_response_iss_parameter_supported";

/** The authorization response has no `iss` (RFC 9207), and the metadata does not promise one. */
export function withoutIss(): Acts {
  return {
    ...changeMetadata((metadata) => issPromise in metadata ? without(metadata, issPromise) : metadata),
    ...changeParams((params) =>
      params.some(([name]) => name === "iss") ? setParam(params, "iss", undefined) : params
    ),
  };
}

export function sendsNoIss(source: Source): Difference {
  const server =
    "The authorization response has a code and a state, but no `iss`. The metadata does not promise one.";
  return { server, source, acts: withoutIss };
}

export function sendsNoIdToken(source: Source): Difference {
  const drop = () =>
    changeTokens((members) => "id_token" in members ? without(members, "id_token") : members);
  return {
    server: "The token response has no ID token, also if the scope has `openid`.",
    source,
    acts: drop,
  };
}

export function forgoesPkce(source: Source): Laxness {
  return { server: "A client with a secret may omit PKCE.", source, forgoesPkce: true };
}

export function scopeWithCommas(): Acts {
  return changeTokens((members) => {
    const { scope } = members;
    return typeof scope === "string" && scope.includes(" ")
      ? { ...members, scope: scope.replaceAll(" ", ",") }
      : members;
  });
}

export function refreshTokenOnlyOffline(): Acts {
  return changeTokens((members, { grant }) =>
    "refresh_token" in members && grant?.scope.includes("offline_access") === false
      ? without(members, "refresh_token")
      : members
  );
}

export function hasCode({ exchange: { bodyRead = "" } }: ActContext): boolean {
  return new URLSearchParams(bodyRead).has("code");
}

/** Changes the refusals of the token endpoint. `undefined` leaves a refusal as it is. */
export function changeTokenErrors(
  change: (refusal: Members, at: ActContext, answer: Answer) => Answer | undefined,
): Acts {
  return changeResponse("token", (answer, at) => {
    const refusal = answer.status < 400 ? undefined : parseJsonObject(textOf(answer.body));
    return typeof refusal?.["error"] === "string" ? change(refusal, at, answer) ?? answer : answer;
  });
}

/** Some providers do not name these parameters, because they have one value only. */
export const presumesCode: Pick<Laxness, "server" | "presumed"> = {
  server: "An authorization request may omit response_type, and a token request grant_type.",
  presumed: { authorize: [["response_type", "code"]], token: [["grant_type", "authorization_code"]] },
};
