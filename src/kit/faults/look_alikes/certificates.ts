/** The keys of the server in certificates, as some providers publish their own. */

import { etagOf, toBase64url } from "../../../ground/crypto/bytes.ts";
import {
  certificateThumbprint,
  exportSpki,
  type KeyMaterial,
  type SigningAlgorithm,
} from "../../../ground/crypto/platform.ts";
import { readCertificates } from "../../../ground/crypto/x509/pem.ts";
import { certifyKey } from "../../../ground/crypto/x509/sign_certificate.ts";
import { remember } from "../../../ground/values/remember.ts";
import { encodeOctets } from "../../../ground/values/octets.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { serveStatic } from "../../../ground/http/respond.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { passSeam } from "../../../server/oauth/contracts/seams.ts";
import { changeAt } from "../changes.ts";
import type { Acts, Tools } from "../misbehaviour.ts";

const day = 24 * 60 * 60;

// In seconds, as for the key set of this server.
const maxAge = 60;

/** The same keys as in the key set, each in a certificate under its `kid`. */
export async function listCertificates(exchange: Exchange, services: Services): Promise<Answer> {
  const keys = (await services.keys.publicKeys()).map((key) => ({ ...key }));
  const keySet = await passSeam(services.seams, "key_set", { keys }, exchange);
  const certify = async (key: Members) => [key["kid"], await certifyUntil(key, 30, services.now())] as const;
  const certificates = await Promise.all(keySet.keys.map(certify));
  const text = JSON.stringify(Object.fromEntries(certificates));
  return serveStatic(exchange.request, { type: "application/json", text, etag: etagOf(text) }, maxAge);
}

/** Adds a certificate and its thumbprints to each published key, the same ones each time. */
export function publishCertificates(tools: Tools): Acts {
  const known = new Map<string, Promise<Members>>();
  const describe = async (key: Members): Promise<Members> => {
    // A key that a misbehaviour has broken stays as it is.
    const pem = await certifyUntil(key, 3650, tools.now()).catch(() => undefined);
    return pem === undefined ? {} : await describeCertificate(pem);
  };
  const find = (key: Members) => remember(known, JSON.stringify(key), () => describe(key));
  return changeAt("key_set", async (value) => ({
    ...value,
    keys: await Promise.all(value.keys.map(async (key) => ({ ...key, ...await find(key) }))),
  }))(tools);
}

/** RFC 7517 §4.7 to §4.9. */
async function describeCertificate(pem: string): Promise<Members> {
  const der = new Uint8Array(readCertificates(pem)[0]!);
  return {
    x5c: [encodeOctets(der, "base64")],
    x5t: toBase64url(new Uint8Array(await crypto.subtle.digest("SHA-1", der))),
    "x5t#S256": certificateThumbprint(der),
  };
}

async function certifyUntil(key: Members, days: number, now: number): Promise<string> {
  const { kid: _kid, use: _use, alg, ...material } = key;
  const spki = await exportSpki(material as unknown as KeyMaterial, alg as SigningAlgorithm);
  return await certifyKey(spki, "postern.test", { from: now - day, until: now + days * day });
}
