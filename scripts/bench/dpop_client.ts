/** Makes DPoP proofs for the load (RFC 9449 §4.2). EdDSA, because the load generator signs one for each request. */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { Buffer } from "node:buffer";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const { kty, crv, x } = publicKey.export({ format: "jwk" });
const header = encode({ typ: "dpop+jwt", alg: "EdDSA", jwk: { kty, crv, x } });

/** Returns a function that returns a header line with a new proof. */
export function createProver(method: string, url: string, accessToken?: string): () => string {
  const ath = accessToken === undefined
    ? {}
    : { ath: createHash("sha256").update(accessToken).digest("base64url") };
  const run = crypto.randomUUID();
  let count = 0;
  return () => {
    const claims = {
      jti: `${run} ${count++}`,
      htm: method,
      htu: url,
      iat: Math.floor(Date.now() / 1000),
      ...ath,
    };
    const input = `${header}.${encode(claims)}`;
    return `DPoP: ${input}.${sign(null, Buffer.from(input), privateKey).toString("base64url")}\r\n`;
  };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
