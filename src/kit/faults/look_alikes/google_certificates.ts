/** The keys of the server in certificates, as Google publishes its own. */

import { etagOf } from "../../../ground/crypto/bytes.ts";
import { exportSpki, type KeyMaterial, type SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import { certifyKey } from "../../../ground/crypto/x509/sign_certificate.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { serveStatic } from "../../../ground/http/respond.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { passSeam } from "../../../server/oauth/contracts/seams.ts";

const day = 24 * 60 * 60;

// In seconds, as for the key set of this server.
const maxAge = 60;

/** The same keys as in the key set, each in a certificate under its `kid`. */
export async function listCertificates(exchange: Exchange, services: Services): Promise<Answer> {
  const keys = (await services.keys.publicKeys()).map((key) => ({ ...key }));
  const keySet = await passSeam(services.seams, "key_set", { keys }, exchange);
  const from = services.now() - day;
  const certify = async ({ kid, use: _use, alg, ...key }: JsonWebKey & { readonly kid?: string }) => {
    const spki = await exportSpki(key as KeyMaterial, alg as SigningAlgorithm);
    return [kid, await certifyKey(spki, "postern.test", { from, until: from + 30 * day })] as const;
  };
  const certificates = await Promise.all(keySet.keys.map(certify));
  const text = JSON.stringify(Object.fromEntries(certificates));
  return serveStatic(exchange.request, { type: "application/json", text, etag: etagOf(text) }, maxAge);
}
