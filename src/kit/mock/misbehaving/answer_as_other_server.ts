/** The answers of the other server of a mock. */

import type { Answer, IncomingRequest } from "../../../server/http/message.ts";
import { allowAnyOrigin, answerHeaders, json } from "../../../server/http/respond.ts";
import { listForeignPublicKeys } from "../../faults/foreign_keys.ts";
import { createExchange, writeEntry } from "../../../server/oauth/exchange.ts";
import type { JournalEntry } from "../../../server/oauth/journal.ts";
import type { Members } from "../../../server/oauth/members.ts";
import type { Services } from "../../../server/oauth/feature.ts";
import { Buffer } from "node:buffer";
import { toPem } from "../../../server/crypto/x509/pem.ts";

/** `url` is the base URL of the other server. `note` tells the verdicts about the request. */
export async function answerAsOtherServer(
  request: IncomingRequest,
  url: string,
  note: (entry: JournalEntry) => void,
  { now, random }: Services,
): Promise<Answer> {
  const exchange = createExchange(request, { receivedAt: now(), random, hasJournal: true });
  // The verdict looks at the parameters. A body that cannot be read has none.
  await exchange.body().catch(() => {});
  const answer = allowAnyOrigin(answerWithCertificate(request) ?? json(describeOtherServer(url)), undefined);
  writeEntry(note, exchange, answer, now());
  return answer;
}

/** Returns the answer to a request for the certificate of a foreign key (RFC 7515 §4.1.5; RFC 8555 §9.1). */
function answerWithCertificate({ address: { path } }: IncomingRequest): Answer | undefined {
  const [, kty = ""] = /\/(\w+)\.pem$/.exec(path) ?? [];
  const der = certificates.get(kty);
  if (der === undefined) return undefined;
  const headers = { ...answerHeaders, "content-type": "application/pem-certificate-chain" };
  return { status: 200, headers, body: toPem("CERTIFICATE", Buffer.from(der, "base64")) };
}

/** With it, a client can go on after a request for tokens, keys, or the metadata of a server or an API. */
function describeOtherServer(url: string): Members {
  return {
    access_token: "decoy",
    token_type: "Bearer",
    expires_in: 3600,
    // What forges a token is also the key here, so that a client or an API that trusts the other server accepts it.
    keys: listForeignPublicKeys(),
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    pushed_authorization_request_endpoint: `${url}/par`,
    registration_endpoint: `${url}/register`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    resource: `${url}/api`,
    authorization_servers: [url],
  };
}

// By the `kty` of the foreign key. Each signs itself, and is valid until 2199.
const certificates: ReadonlyMap<string, string> = new Map([
  [
    "RSA",
    "MIICpDCCAYwCAQEwDQYJKoZIhvcNAQELBQAwFzEVMBMGA1UEAwwMZm9yZWlnbi50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIx" +
    "OTkxMjMxMjM1OTU5WjAXMRUwEwYDVQQDDAxmb3JlaWduLnRlc3QwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCs" +
    "yvsaJ/hdxplXBrnGberyFSZrjDVAAJerWlRarCXzraOgSnF9PCUyD4EQpe7I6tc09qlzXsn2DwlWhwiYCHOdSpAxFh/cBd/y" +
    "zd4cM1Y5plQzAZkOMNV+TuafrNnrPJljl0Dz61f8fmvtZCl3nGnJjoakTyWeA7iPIJ+yAvJLqYRrU2FbPh9y3MYBQkg1Bk7P" +
    "jLNjpspOujx7+bUrcXKiLZbDeGpqCRmastHxUGIlEfJHTbBYeDULwYlBbEHI3GiqbsIrEDC1+3if9JS/U2MJb50yKhw3h9eo" +
    "RAzzebbhryy6tK+zo6AIhiv5JiJ0g/0IhSp8WC7nMuQb7TZRpGTpAgMBAAEwDQYJKoZIhvcNAQELBQADggEBAIfab+av65L+" +
    "ebPyOEJpBeNRFX9LfVxJzCQmM/BmoAdscZV8RM9hg3ee8Kmo4wTJsyVYwnXeGyKzni7swKZY+lGPvFRuMnz3dOUzRugMa1/a" +
    "BNJPnHurFIMa2PREx76SquGMhjwwrP5k0aDBWoyfuZyYukVI6Of9PQ7hKfu+hJ+n+SEjjLflo1E1a5253l7vK8q4vNfqCVIw" +
    "VXLvIgZToZVOmc/78pzQZNXKEG+rWZRk2jBEkxR45pzdeqDRAeOn32EkaorYNeS4eXsLA0ksOVkt1FimgUgB9QPpch8Rvz8n" +
    "Pie7Ly7jXxadHlO68l1JUqBjCqonDegiF94oKuC4m0Y=",
  ],
  [
    "EC",
    "MIIBGDCBvgIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxmb3JlaWduLnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjE5OTEy" +
    "MzEyMzU5NTlaMBcxFTATBgNVBAMMDGZvcmVpZ24udGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLFVwCAHRZOiFRs+" +
    "iY4276R+EJe77Trdns37rgc57ldMEQOzL0ovNrE6ChfpNBP8mgZltCbjpn30YkoGcmfWjt0wCgYIKoZIzj0EAwIDSQAwRgIh" +
    "APBGPzxizEzpUSTARKAaa7uoobaWVFObhemNRFXLepdiAiEAvhv1AUP8UMryLDPUawOo5XRtf89OPvTzrPV08JnDYlQ=",
  ],
  [
    "OKP",
    "MIHXMIGKAgEBMAUGAytlcDAXMRUwEwYDVQQDDAxmb3JlaWduLnRlc3QwIBcNMjAwMTAxMDAwMDAwWhgPMjE5OTEyMzEyMzU5" +
    "NTlaMBcxFTATBgNVBAMMDGZvcmVpZ24udGVzdDAqMAUGAytlcAMhAMiYObz2J33lKctOV0Viwjt5T1Jf4evlTM3WTid0OEGV" +
    "MAUGAytlcANBAA4FfurkQk2fw2eILF8Z/vNcHh8T/uThCdT7qLlYLlK0NNk4KnoVePIhp01RFQ3/cdktYsUplqEBcYknD3gy" +
    "ZAY=",
  ],
]);
