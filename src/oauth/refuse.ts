/** How a refusal is said: to the journal in full, to a program in JSON, to a person on a page. */

import type { Answer } from "../http/message.ts";
import { empty, json, page } from "../http/respond.ts";
import { formatChallenge } from "./challenge.ts";
import { type Challenge, type OAuthError, wireText } from "./error.ts";
import type { Exchange } from "./exchange.ts";
import { paths } from "./paths.ts";
import type { Services } from "./services.ts";

export function noteRefusal({ error, message, details }: OAuthError, exchange: Exchange): void {
  const { reason, spec, expected, received, remedy, cause } = details;
  exchange.note({
    refusal: {
      error,
      reason,
      description: message,
      ...(spec === undefined ? {} : { spec }),
      ...(expected === undefined ? {} : { expected }),
      ...(received === undefined ? {} : { received }),
      ...(remedy === undefined ? {} : { remedy }),
    },
    ...(cause === undefined ? {} : { fault: cause }),
  });
}

/** RFC 6749 §5.2: short on the wire. */
export function refusalJson(error: OAuthError, exchange: Exchange): Answer {
  noteRefusal(error, exchange);
  const { headers, challenge, codeless } = error.details;
  const said: Readonly<Record<string, string>> = codeless
    ? {}
    : { error: error.error, error_description: wireText(error.message) };
  const all = {
    ...headers,
    ...(challenge === undefined ? {} : { "www-authenticate": describeChallenges([challenge].flat(), said) }),
  };
  return codeless ? empty(error.status, all) : json(said, { status: error.status, headers: all });
}

/** Client libraries often read the error from here alone, so the first challenge says what the body says. */
function describeChallenges(
  challenges: readonly Challenge[],
  said: Readonly<Record<string, string>>,
): string {
  return challenges.map(({ scheme, params }, at) =>
    formatChallenge({ scheme, params: { realm: "postern", ...(at === 0 ? said : {}), ...params } })
  ).join(", ");
}

/** For the person in front of the browser, who is often the developer of the client: explained. */
export async function refusalPage(
  error: OAuthError,
  exchange: Exchange,
  { pages, settings }: Services,
  more: { readonly wouldHaveGoneTo?: string } = {},
): Promise<Answer> {
  noteRefusal(error, exchange);
  const { spec, expected, received, remedy, startAgainUrl, headers } = error.details;
  // OAuth 2.1 §4.1.2.1: 400, and never 401, which would make the browser ask for a password.
  const status = error.status === 401 ? 400 : error.status;
  const html = await pages.refusal({
    status,
    ...(error.details.codeless ? {} : { error: error.error }),
    description: error.message,
    ...(spec === undefined ? {} : { spec }),
    ...(expected === undefined ? {} : { expected }),
    ...(received === undefined ? {} : { received }),
    ...(remedy === undefined ? {} : { remedy }),
    ...(startAgainUrl === undefined ? {} : { startAgainUrl }),
    ...(status >= 500 ? { exchangeId: exchange.id } : {}),
    ...more,
    homeUrl: settings.basePath + paths.home,
  });
  return page(html, { status, ...(headers === undefined ? {} : { headers }) });
}
