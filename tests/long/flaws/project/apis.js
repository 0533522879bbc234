/** APIs that verify access tokens with a library, each as the advisory of the library describes its use. */

import { createPublicKey } from "node:crypto";

/**
 * By the name of the flaw: takes the library and what an API knows, and returns a function that rejects wrong tokens.
 * `isMended` is for a use that the mended version no longer allows.
 */
export const apis = {
  "CVE-2025-30144": verifyFast,
  "CVE-2026-35042": verifyFast,
  // Without `algorithms`, and with a key function that knows only the algs of the keys.
  "CVE-2022-23540": (library, { issuer, audience, loadKeys }) => async (token) => {
    const keys = await loadKeys();
    const find = ({ alg }, done) => done(null, keys.filter((key) => key.alg === alg).map(toPem)[0]);
    return await promise((done) => library.verify(token, find, { issuer, audience }, done));
  },
  "CVE-2015-9235": (library, { audience, issuer, loadKeys }) => async (token) => {
    const [key] = await loadKeys();
    return await promise((done) => library.verify(token, toPem(key), { issuer, audience }, done));
  },
  "CVE-2020-15084": (expressJwt, { issuer, audience, jwksUri, isMended, load }) => {
    const secret = load("jwks-rsa").expressJwtSecret({ jwksUri });
    const check = expressJwt({ secret, issuer, audience, ...(isMended ? { algorithms: ["RS256"] } : {}) });
    return (token) =>
      promise((done) => check({ method: "GET", headers: { authorization: `Bearer ${token}` } }, {}, done));
  },
  "CVE-2016-1000223": ({ verify }, { loadKeys, isMended }) => async (token) => {
    const [key] = await loadKeys();
    const accepts = isMended ? verify(token, "RS256", toPem(key)) : verify(token, toPem(key));
    if (!accepts) throw new Error("the signature is wrong");
  },
  "CVE-2018-0114": ({ JWK, JWS }, { loadKeys }) => async (token) => {
    const keys = await JWK.asKeyStore({ keys: await loadKeys() });
    return await JWS.createVerify(keys).verify(token);
  },
  "CVE-2022-25898": ({ KJUR }, { loadKeys }) => async (token) => {
    const [key] = await loadKeys();
    if (!KJUR.jws.JWS.verify(token, toPem(key), ["RS256"])) throw new Error("the signature is wrong");
  },
  "CVE-2023-48238": ({ decode }, { loadKeys }) => async (token) => {
    const [key] = await loadKeys();
    const { error } = decode(toPem(key), token);
    if (error) throw error;
  },
  // The issuer of the token chooses the keys, and is compared afterwards.
  "CVE-2025-59936": (createGetJwks, { issuer, audience, load }) => {
    const getJwks = createGetJwks({ jwksPath: "/oauth2/jwks" });
    const { createVerifier } = load("fast-jwt-6.2.0");
    const key = async ({ header: { kid, alg }, payload }) =>
      await getJwks.getPublicKey({ kid, alg, domain: payload.iss });
    return createVerifier({ key, algorithms: ["RS256"], allowedIss: issuer, allowedAud: audience });
  },
  "CVE-2025-62610": verifyWithHono,
  "CVE-2026-44459": verifyWithHono,
};

function verifyFast({ createVerifier }, { issuer, audience, loadKeys }) {
  const key = async ({ header }) => toPem((await loadKeys()).find(({ kid }) => kid === header.kid));
  return createVerifier({ key, algorithms: ["RS256"], allowedIss: issuer, allowedAud: audience });
}

function verifyWithHono({ jwk }, { issuer, audience, jwksUri }) {
  const check = jwk({ jwks_uri: jwksUri, alg: ["RS256"], verification: { iss: issuer, aud: audience } });
  return async (token) => {
    const headers = new Headers({ authorization: `Bearer ${token}` });
    await check({ req: { raw: { headers }, url: "https://api.test" }, set() {} }, () => {});
  };
}

function toPem(key) {
  return createPublicKey({ key, format: "jwk" }).export({ type: "spki", format: "pem" });
}

function promise(call) {
  return new Promise((resolve, reject) => call((error, value) => error ? reject(error) : resolve(value)));
}
