/** A thorough examination counts the chance in the values of a thousand logins (RFC 6749 §10.10; RFC 7636 §7.1). */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { countBits } from "../../../src/kit/faults/count_bits.ts";
import { examine, type MisbehaviourName } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { challengeOf } from "../../world.ts";
import { authorizeUrl, tokenForm } from "../mock/authorize_url.ts";
import { quickAlg } from "./clients/habits.ts";

let drawn = 0;

/** Octets without a pattern. Hashes, because the seed of a test run may make real chance smaller. */
function draw(count: number): Buffer {
  const hash = () => createHash("sha256").update(`${drawn++}`).digest();
  return Buffer.concat(Array.from({ length: Math.ceil(count / 32) }, hash)).subarray(0, count);
}

function drawUuid(): string {
  const hex = draw(16).toString("hex");
  const variant = "89ab"[parseInt(hex[16]!, 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${
    hex.slice(20)
  }`;
}

/** Chooses each character of a text among some. */
const choose = (length: number, characters: string) =>
  [...draw(length)].map((octet) => characters[octet % characters.length]).join("");

/** Values, and the bits that a thousand of them show at least and at most. */
const values: Readonly<
  Record<string, readonly [create: (index: number) => string, least: number, most: number]>
> = {
  "16 octets in base64url": [() => draw(16).toString("base64url"), 128, 129],
  "32 octets in base64url": [() => draw(32).toString("base64url"), 256, 258],
  "16 octets in hexadecimal": [() => draw(16).toString("hex"), 128, 128],
  "a UUID": [() => drawUuid(), 122, 122],
  "20 digits": [() => choose(20, "0123456789"), 66, 66],
  "40 characters of two kinds": [() => choose(40, "af"), 40, 40],
  "a UUID whose first part alone is random": [
    () => `${choose(8, "0123456789abcdef")}-0000-4000-8000-000000000000`,
    32,
    32,
  ],
  "the time in milliseconds": [(index) => `${1_900_000_000_000 + index * 37}`, 1, 20],
  "a number that counts": [(index) => `${index}`, 1, 11],
  "the same text": [() => "constant", 0, 0],
};

for (const [what, [create, least, most]] of Object.entries(values)) {
  test(`thorough: a thousand values of ${what} have from ${least} to ${most} bits`, () => {
    const bits = countBits(Array.from({ length: 1000 }, (_, index) => create(index)));
    assert(least <= bits && bits <= most, `${bits} bits`);
  });
}

const only: readonly MisbehaviourName[] = [
  ...["login.nonce_repeated", "login.nonce_short", "login.state_short"] as const,
  ...["login.verifier_repeated", "login.verifier_short"] as const,
];

async function examineValues(thorough: boolean, wanted = only): Promise<readonly (readonly string[])[]> {
  let logins = 0;
  const issuers = new Set<string>();
  const { rows } = await examine({
    only: wanted,
    thorough,
    options: { alg: quickAlg },
    within: 60,
    async client(as, { issuer, redirectUri, browse }) {
      issuers.add(issuer);
      // A hash hides that only three hundred numbers are behind the verifiers.
      const verifier = createHash("sha256").update(`${logins++ % 300}`).digest("base64url");
      const url = authorizeUrl(issuer, { scope: "openid", state: draw(16).toString("base64url") });
      url.searchParams.set("nonce", choose(40, "af"));
      url.searchParams.set("code_challenge", challengeOf(verifier));
      const code = `${(await browse(url)).searchParams.get("code")}`;
      const body = tokenForm({ code, redirect_uri: redirectUri, code_verifier: verifier });
      await as.fetch(`${issuer}/oauth2/token`, { method: "POST", body });
    },
  });
  // A client may keep what it learns about an issuer.
  assertEquals(issuers.size, logins);
  return rows.map(({ name, outcome, because, requests }) => {
    assert(requests.length <= 40, `${name} shows ${requests.length} requests`);
    return [name.slice(6), outcome, because];
  });
}

const seemsRight = "The requests to a right server do not show this.";

test("thorough: few logins do not show that values have little chance", async () => {
  assertEquals(await examineValues(false), [
    ["nonce_repeated", "unharmed", "Each of the 2 logins had a nonce of its own."],
    ["nonce_short", "unharmed", seemsRight],
    ["state_short", "unharmed", seemsRight],
    ["verifier_repeated", "unharmed", "Each of the 2 logins had a code_verifier of its own."],
    ["verifier_short", "unharmed", seemsRight],
  ]);
});

test("thorough: a thousand logins show values that repeat, and characters of few kinds", async () => {
  assertEquals(await examineValues(true), [
    ["nonce_repeated", "unharmed", "Each of the 1002 logins had a nonce of its own."],
    [
      "nonce_short",
      "fooled",
      "The nonce has 40 bits at most, because it has few kinds of characters at its places in 1001 logins. " +
      "It needs 128.",
    ],
    ["state_short", "unharmed", seemsRight],
    ["verifier_repeated", "fooled", "4 logins that redeemed a code had the same code_verifier."],
    ["verifier_short", "unharmed", seemsRight],
  ]);
});
