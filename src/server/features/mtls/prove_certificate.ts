/** The proof that the sender of a request holds the key of a certificate (RFC 8705 §3). */

import { certificateThumbprint } from "../../../ground/crypto/platform.ts";
import { memberOf } from "../../oauth/contracts/feature_values.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { ProofOptions, ProofResult } from "../../oauth/contracts/feature.ts";
import { boundMember } from "./subject_members.ts";

export function proveCertificate(exchange: Exchange, { client }: ProofOptions): ProofResult | undefined {
  // At the token endpoint, a certificate binds only the tokens of a client that wants that (RFC 8705 §3.4).
  if (client !== undefined && memberOf(client, boundMember) !== true) return undefined;
  const [own] = exchange.request.certificate?.chain ?? [];
  return own && { thumbprint: certificateThumbprint(own) };
}
