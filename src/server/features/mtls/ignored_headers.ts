/** Tells in the journal that a header with a certificate had no effect (RFC 8705 §6.5, RFC 9440 §4). */

import type { Exchange } from "../../oauth/contracts/exchange.ts";
import { type AdviceRows, advices } from "../../oauth/contracts/refusals.ts";
import { findCertificateHeaders } from "./certificate_headers.ts";

const advice = advices({
  certificate_header_ignored: {
    spec: "RFC 8705 §6.5, RFC 9440 §4",
    sentence: "The header {header} has no effect",
    expected: "{used}",
    change:
      "Name the header by --client-cert-header, and the proxy by --trust-proxy. Let the proxy remove what the client sent in it.",
  },
});

export const advised: AdviceRows = advice.rows;

export function noteIgnoredHeaders(exchange: Exchange, configured: string | undefined): void {
  const { request, facts } = exchange;
  const read = request.certificate?.header;
  const ignored = findCertificateHeaders(request, configured).find((name) =>
    name !== read && !(name === "client-cert-chain" && read === "client-cert")
  );
  // An entry has one advice.
  if (ignored === undefined || facts.advice !== undefined) return;
  exchange.note({
    advice: advice("certificate_header_ignored", {
      header: ignored,
      used: configured === undefined
        ? "no such header, because none is configured"
        : `${configured} of a trusted proxy`,
    }),
  });
}
