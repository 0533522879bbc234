/** Clients that check all of an ID token but one thing, and the row that shows it. */

import { assertEquals } from "@std/assert";
import { createHash, createHmac, createPublicKey } from "node:crypto";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { examine, type MisbehaviourName, type Mock } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { createClient } from "./clients/client.ts";
import { naive } from "./clients/habits.ts";

interface Tokens {
  readonly id_token: string;
  readonly access_token: string;
}

type Check = (tokens: Tokens, as: Mock) => unknown;

/** Examines a client that refuses a token response if the check throws. */
async function examineWith(check: Check, only: readonly MisbehaviourName[]) {
  const { rows } = await examine({
    client: async (as, scenario) => {
      await createClient(naive)({
        ...as,
        fetch: async (...request) => {
          const response = await as.fetch(...request);
          if (`${request[0]}`.endsWith("/token")) await check(await response.clone().json(), as as Mock);
          return response;
        },
      }, scenario);
    },
    only,
    options: { alg: "EdDSA" },
    within: 60,
  });
  return Object.fromEntries(rows.map(({ name, outcome }) => [name, outcome]));
}

const loadKeys = async ({ fetch, issuer }: Mock): Promise<JSONWebKeySet> =>
  await (await fetch(`${issuer}/oauth2/jwks`)).json();

function refuseIf(isWrong: boolean, what: string): void {
  if (isWrong) throw new Error(`the ${what} is wrong`);
}

/** OpenID Connect Core §3.1.3.6, §3.1.3.8. */
const hashes: Readonly<Record<string, string>> = { EdDSA: "sha512", RS256: "sha256" };

function checkHash({ id_token: idToken, access_token: token }: Tokens, isStrict: boolean): void {
  const hash = hashes[`${decodeProtectedHeader(idToken).alg}`];
  refuseIf(isStrict && hash === undefined, "alg");
  if (hash === undefined) return;
  const digest = createHash(hash).update(token).digest();
  const half = digest.subarray(0, digest.length / 2).toString("base64url");
  refuseIf(decodeJwt(idToken)["at_hash"] !== half, "at_hash");
}

test("id_token.at_hash_alg_unknown: a client that checks no hash for an unknown alg is fooled (CVE-2026-28498)", async () => {
  const only = ["id_token.at_hash_wrong", "id_token.at_hash_alg_unknown"] as const;
  const [open, strict] = [false, true].map((isStrict) =>
    examineWith((tokens) => checkHash(tokens, isStrict), only)
  );
  assertEquals(await open, { [only[0]]: "noticed", [only[1]]: "fooled" });
  assertEquals(await strict, { [only[0]]: "noticed", [only[1]]: "noticed" });
});

test("keys.alg_other: a client that only leaves out keys for encryption is fooled by one for other signatures (RFC 8725 §3.1)", async () => {
  const only = ["keys.alg_other"] as const;
  const [leavesOut, compares] = [false, true].map((isStrict) =>
    examineWith(async ({ id_token: idToken }, as) => {
      const { alg, kid } = decodeProtectedHeader(idToken);
      const key = (await loadKeys(as)).keys.find((each) => each.kid === kid)!;
      refuseIf(isStrict ? key.alg !== alg : !/^(RS|PS|ES|Ed)[\dD]/.test(key.alg!), "alg of the key");
    }, only)
  );
  assertEquals(await leavesOut, { "keys.alg_other": "fooled" });
  assertEquals(await compares, { "keys.alg_other": "noticed" });
});

/** What a client takes as the secret if the key of an ID token with HS256 has no `alg`. */
const secrets: Readonly<Record<string, (jwk: JSONWebKeySet["keys"][number]) => string>> = {
  nothing: () => "",
  "its JSON": (jwk) => JSON.stringify(jwk),
  "its PEM": (jwk) =>
    `${createPublicKey({ key: { ...jwk } as never, format: "jwk" }).export({ type: "spki", format: "pem" })}`,
};

const secretCases = [
  ...Object.entries(secrets).map(([what, secretOf]) => ["256", what, secretOf] as const),
  ...["384", "512"].map((bits) => [bits, "its PEM", secrets["its PEM"]!] as const),
];

for (const [bits, what, secretOf] of secretCases) {
  test(`id_token.hs256_alg_unpublished: a client that takes ${what} of a key without alg as the secret of HS${bits} is fooled (CVE-2026-44699)`, async () => {
    const only = ["id_token.hs256_with_public_key", "id_token.hs256_alg_unpublished"] as const;
    const outcomes = await examineWith(async ({ id_token: idToken }, as) => {
      const { alg, kid } = decodeProtectedHeader(idToken);
      const keys = await loadKeys(as);
      const key = keys.keys.find((each) => each.kid === kid)!;
      if (alg !== `HS${bits}` || key.alg !== undefined) {
        return await jwtVerify(idToken, createLocalJWKSet(keys));
      }
      const at = idToken.lastIndexOf(".");
      const made = createHmac(`sha${bits}`, secretOf(key)).update(idToken.slice(0, at)).digest("base64url");
      refuseIf(made !== idToken.slice(at + 1), "signature");
    }, only);
    assertEquals(outcomes, { [only[0]]: "noticed", [only[1]]: "fooled" });
  });
}

test("id_token.iss_list: a client that looks for its issuer in a list is fooled (CVE-2025-30144)", async () => {
  const only = ["id_token.iss_wrong", "id_token.iss_missing", "id_token.iss_list"] as const;
  const outcomes = await examineWith(({ id_token: idToken }, { issuer }) => {
    refuseIf(![decodeJwt(idToken)["iss"] as unknown].flat().includes(issuer), "iss");
  }, only);
  assertEquals(outcomes, { [only[0]]: "noticed", [only[1]]: "noticed", [only[2]]: "fooled" });
});

test("id_token.huge: a client that limits the length of an ID token notices it, and takes a large one (CVE-2025-61920)", async () => {
  const only = ["id_token.large", "id_token.huge"] as const;
  const outcomes = await examineWith(({ id_token: idToken }) => {
    refuseIf(idToken.length > 256_000, "length");
  }, only);
  assertEquals(outcomes, { [only[0]]: "tolerated", [only[1]]: "noticed" });
});

/** How a client finds the nonce of an ID token: among all that it has ever sent, or in this login only. */
const nonceChecks: Readonly<Record<string, readonly [keep: (sent: string[]) => string[], outcome: string]>> =
  {
    "one of its nonces": [(sent) => sent, "fooled"],
    "the nonce of this login": [(sent) => sent.slice(-1), "noticed"],
  };

for (const [what, [keep, outcome]] of Object.entries(nonceChecks)) {
  test(`id_token.nonce_of_another_login: a client that wants ${what} is ${outcome}`, async () => {
    const only = ["id_token.nonce_of_another_login", "id_token.nonce_wrong"] as const;
    const sent: string[] = [];
    const { rows } = await examine({
      client: async (as, { browse, ...scenario }) => {
        const fetch = async (...request: Parameters<Mock["fetch"]>) => {
          const response = await as.fetch(...request);
          if (!`${request[0]}`.endsWith("/token")) return response;
          const { nonce } = decodeJwt((await response.clone().json()).id_token);
          refuseIf(!keep(sent).includes(`${nonce}`), "nonce");
          return response;
        };
        await createClient({ ...naive, repeats: [] })({ ...as, fetch }, {
          ...scenario,
          browse: (url) => {
            sent.push(`${new URL(url).searchParams.get("nonce")}`);
            return browse(url);
          },
        });
      },
      only,
      options: { alg: "EdDSA" },
      jobs: 1,
      within: 60,
    });
    assertEquals(rows.map(({ name, outcome }) => [name, outcome as string]), [
      [only[0], outcome],
      [only[1], "noticed"],
    ]);
  });
}
