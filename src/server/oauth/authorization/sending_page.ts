/** Checks by the browser's headers whether a page of this server or of a client sent a form. */

import type { Answer } from "../../../ground/http/message.ts";
import { redirect } from "../../../ground/http/respond.ts";
import type { Exchange } from "../contracts/exchange.ts";
import { formatParams } from "../../../ground/http/form.ts";
import { readForm } from "../contracts/params.ts";
import { type RefusalRows, refusals } from "../contracts/refusals.ts";
import type { Services } from "../contracts/feature.ts";

const refusal = refusals({
  form_from_another_site: {
    error: "invalid_request",
    status: 403,
    spec: "RFC 9700 §4.7",
    sentence: "This form was sent by another site",
    change: "Send the form from the page of this server.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Refuses forms of other sites early. The encrypted request would stop them, too (RFC 9700 §4.7). */
export function requireOwnPage({ request }: Exchange, { settings }: Services): void {
  const site = request.header("sec-fetch-site");
  const origin = request.header("origin");
  // The server's pages set no-referrer, so browsers may send the origin `null`. Behind a proxy, only the issuer has the
  // origin that the browser sees.
  const isOurs = (site === undefined || site === "same-origin" || site === "none") &&
    (origin === undefined ||
      ["null", request.address.origin, new URL(settings.baseUrl).origin].includes(origin));
  if (isOurs) return;
  throw refusal("form_from_another_site", {
    received: [site && `Sec-Fetch-Site: ${site}`, origin && `Origin: ${origin}`].filter(Boolean).join(", "),
  });
}

/** Returns whether a page of another origin, for example of a client, sent the form. Cookies may be missing then. */
export function isFromAnotherOrigin({ request }: Exchange): boolean {
  return /^(cross-site|same-site)$/.test(request.header("sec-fetch-site") ?? "");
}

/** Redirects to the same request as a GET, because browsers send cookies with a GET (OpenID Connect Core §3.1.2.1). */
export async function askAgainByGet(
  exchange: Exchange,
  path: string,
  { settings }: Services,
): Promise<Answer> {
  const form = await readForm(exchange);
  return redirect(`${settings.baseUrl}${path}?${formatParams(form.pairs)}`);
}
