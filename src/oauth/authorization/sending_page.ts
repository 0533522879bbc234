/** Which page sent a form, as the browser says: one of this server's, or a client's. */

import type { Answer } from "../../http/message.ts";
import { redirect } from "../../http/respond.ts";
import { fail } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import { formatParams, readForm } from "../params.ts";
import type { Services } from "../services.ts";

export type SendingPageReason = "form_from_another_site";

/** The sealed form is the protection; what the browser says of its origin is only an earlier check (RFC 9700 §4.7). */
export function requireOwnPage({ request }: Exchange, { settings }: Services): void {
  const site = request.header("sec-fetch-site");
  const origin = request.header("origin");
  // Our own pages ask for no referrer, and then a browser says `null`; a proxy may know us under the issuer alone.
  const isOurs = (site === undefined || site === "same-origin" || site === "none") &&
    (origin === undefined ||
      ["null", request.address.origin, new URL(settings.issuer).origin].includes(origin));
  if (isOurs) return;
  fail<SendingPageReason>("invalid_request", "This form was sent by another site", {
    reason: "form_from_another_site",
    status: 403,
    spec: "RFC 9700 §4.7",
    received: [site && `Sec-Fetch-Site: ${site}`, origin && `Origin: ${origin}`].filter(Boolean).join(", "),
  });
}

/** A client's page sent the form, so the browser may not have sent its cookies. */
export function isFromAnotherOrigin({ request }: Exchange): boolean {
  return /^(cross-site|same-site)$/.test(request.header("sec-fetch-site") ?? "");
}

/** The same request as a GET, which brings the cookies along (OpenID Connect Core §3.1.2.1). */
export async function askAgainByGet(
  exchange: Exchange,
  path: string,
  { settings }: Services,
): Promise<Answer> {
  const form = await readForm(exchange);
  return redirect(`${settings.baseUrl}${path}?${formatParams(form.pairs)}`);
}
