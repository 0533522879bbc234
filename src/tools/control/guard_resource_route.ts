/** The route that checks a request to an API of the caller's own. */

import { isToken } from "../../ground/http/message.ts";
import { unusualMethods } from "../../kit/mock/resources/answer_incoming.ts";
import { placeOfMember } from "../../ground/schema/json_object.ts";
import { wrongRequest, wrongValue } from "../guard/control_refused.ts";
import { exampleToken } from "./given_tokens.ts";
import { type Call, type ControlRoute, type Reply, route } from "./route.ts";
import * as schema from "../../ground/schema/schema_of.ts";
import type { Fitting } from "../../ground/schema/schema_of.ts";

const guardBody = schema.closedObject({
  token: schema.text("The access token of a request with Authorization: Bearer. Instead of that header."),
  method: schema.text("The method of the request. Default: GET."),
  url: schema.text(
    "The URL of the request, or its path, with the query. A DPoP proof must be for this path. Default: the URL of the API.",
  ),
  headers: schema.textMembers("The headers of the request, such as authorization and dpop."),
  body: schema.anyText("The body of the request, for rules about JSON-RPC. Ignored with GET and HEAD."),
}, { example: { token: exampleToken, method: "POST" } });

type GuardBody = Fitting<typeof guardBody>;

export const guardResourceRoute: ControlRoute = route(
  "POST /resources/{resource}/guard",
  "guardResource",
  {
    summary:
      "Checks a request that has come to an API of your own. Returns the claims of its token, or the response to send: " +
      "a refusal with its challenge, the metadata, or the answer to a CORS preflight.",
    body: guardBody,
    aliases: { access_token: "token", accessToken: "token" },
    answer: schema.openObject({
      accepted: schema.flag("Whether the request may reach the API."),
      claims: schema.object("The claims of the token, if the request is accepted."),
      response: schema.described(
        "The response to send instead, if the request is not accepted.",
        schema.openObject({
          status: schema.integer(),
          headers: schema.textMembers(),
          body: schema.anyText(),
        }),
      ),
    }, { required: ["accepted"] }),
    handle: guardResource,
  },
);

async function guardResource({ resources, id, body }: Call<GuardBody>): Promise<Reply> {
  const { resource } = resources.require(id);
  const guarded = await resource.guard(readGuarded(body, resource.url));
  if (!(guarded instanceof Response)) return { accepted: true, claims: guarded };
  const response = {
    status: guarded.status,
    headers: Object.fromEntries(guarded.headers),
    body: await guarded.text(),
  };
  return { accepted: false, response };
}

/** `base` is the URL of the API. */
function readGuarded(
  { token, method = "GET", url = "", headers = {}, body }: GuardBody,
  base: string,
): Request {
  const presented = Object.keys(headers).find((name) => name.toLowerCase() === "authorization");
  if (token !== undefined && presented !== undefined) {
    throw wrongRequest(
      "The body has two access tokens",
      `either token, or the header ${presented}`,
      placeOfMember("headers", presented),
    );
  }
  const given = URL.canParse(url, base) ? new URL(url, base) : undefined;
  if (given?.origin !== new URL(base).origin) {
    throw wrongValue("url", `must be a path, or a URL of ${new URL(base).origin}`);
  }
  const upper = method.toUpperCase();
  // Bun creates a request with any method.
  if (unusualMethods.has(upper) || !isToken(upper)) {
    throw wrongValue("method", `must be a method of HTTP, but none of ${[...unusualMethods].join(", ")}`);
  }
  const authorization: Readonly<Record<string, string>> = token === undefined
    ? {}
    : { authorization: `Bearer ${token}` };
  const hasBody = upper !== "GET" && upper !== "HEAD" && body !== undefined;
  try {
    const init = { method: upper, headers: { ...headers, ...authorization } };
    return new Request(given, hasBody ? { ...init, body } : init);
  } catch {
    // Hides the error of the runtime, which may quote a header.
    throw wrongValue(token === undefined ? "headers" : "token", "must be text that a header may have");
  }
}
