/** How many tokens an examination of an API signs, because a signature costs more than all else about a token. */

import { assert } from "@std/assert";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { createMock, examineApi } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";

test("examineApi: about one token is signed for each one that the API gets", async () => {
  await using as = await createMock();
  const audience = "https://api.test";
  let calls = 0;
  const counted = await countSignatures(() =>
    examineApi({
      as,
      audience,
      only: ["access_token"],
      async call(token) {
        calls++;
        const keys: JSONWebKeySet = await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json();
        return await jwtVerify(token, createLocalJWKSet(keys), { issuer: as.issuer, audience }).then(
          () => new Response(),
          () => new Response(null, { status: 401 }),
        );
      },
    })
  );
  assert(
    calls > 10 && counted > 0.5 * calls && counted <= 1.05 * calls,
    `${counted} signatures for ${calls} tokens`,
  );
});

/** Counts the signatures that WebCrypto makes with RSA, which signs by default. */
async function countSignatures(work: () => Promise<unknown>): Promise<number> {
  const { sign } = crypto.subtle;
  let count = 0;
  crypto.subtle.sign = (...terms) => {
    const [, { algorithm }] = terms;
    if (algorithm.name.startsWith("RSA")) count++;
    return sign.apply(crypto.subtle, terms);
  };
  try {
    await work();
  } finally {
    crypto.subtle.sign = sign;
  }
  return count;
}
