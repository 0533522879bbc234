/** A row with several variants tries each of them, because a careless verifier falls for one only. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import { spawn, spawnSync } from "node:child_process";
import { get } from "node:http";
import { createHmac, createPublicKey } from "node:crypto";
import {
  calculateJwkThumbprint,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWK,
} from "jose";
import { fromBase64url } from "../../../src/ground/crypto/bytes.ts";
import { publish } from "../../../src/kit/faults/changes.ts";
import { foreignKeyFor } from "../../../src/kit/faults/foreign_keys.ts";
import { privateServers, publicKeyForms } from "../../../src/kit/faults/names.ts";
import { writePublicKey } from "../../../src/kit/faults/public_key_forms.ts";
import {
  createMock,
  examine,
  examineApi,
  type MisbehaviourName,
  type Mock,
  type Scenario,
} from "../../../src/kit/mod.ts";
import { authorizeUrl } from "../mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { answerObediently } from "./apis/obeying_api.ts";
import { createClient } from "./clients/client.ts";
import { type Habits, naive, quick, quickAlg, strict } from "./clients/habits.ts";

type PublicJwk = Readonly<Record<string, string>>;

const write = (jwk: PublicJwk, type: "spki" | "pkcs1", format: "pem" | "der") =>
  createPublicKey({ key: { ...jwk }, format: "jwk" }).export({ type, format } as never) as string | Buffer;

/** How an API or a client keeps the key of the server. */
const keptAs: Readonly<Record<string, (jwk: PublicJwk) => string | Buffer>> = {
  spki_pem: (jwk) => write(jwk, "spki", "pem"),
  spki_pem_trimmed: (jwk) => `${write(jwk, "spki", "pem")}`.trim(),
  spki_der: (jwk) => write(jwk, "spki", "der"),
  pkcs1_pem: (jwk) => write(jwk, "pkcs1", "pem"),
  pkcs1_pem_trimmed: (jwk) => `${write(jwk, "pkcs1", "pem")}`.trim(),
  pkcs1_der: (jwk) => write(jwk, "pkcs1", "der"),
  jwk: (jwk) => JSON.stringify(jwk),
  modulus: ({ n = "" }) => n,
  modulus_octets: ({ n = "" }) => Buffer.from(n, "base64url"),
};

/** Whether the token verifies, if its own header chooses between HS256, or a longer hash, and the algorithm of the key. */
function verifiesCarelessly(token: string, secret: string | Buffer, bits = 256): boolean {
  const { alg } = decodeProtectedHeader(token);
  if (alg !== `HS${bits}`) return alg === "RS256";
  const at = token.lastIndexOf(".");
  const signature = createHmac(`sha${bits}`, secret).update(token.slice(0, at)).digest("base64url");
  return token.slice(at + 1) === signature;
}

async function loadKey({ fetch, issuer }: Mock): Promise<PublicJwk> {
  return (await (await fetch(`${issuer}/oauth2/jwks`)).json()).keys[0];
}

const describe = (variant: string, because: string) => `With the variant ${variant}: ${because}`;

for (const [variant, keep] of Object.entries(keptAs)) {
  test(`variants: an API that keeps the key as ${variant}, and lets the token choose HS256, is fooled (RFC 8725 §2.1)`, async () => {
    await using as = await createMock();
    const secret = keep(await loadKey(as));
    const { rows: [row] } = await examineApi({
      as,
      call: (token) => new Response(null, { status: verifiesCarelessly(token, secret) ? 200 : 401 }),
      only: ["access_token.hs256_with_public_key"],
    });
    assertEquals([row!.outcome, row!.because], ["fooled", describe(variant, "The API answered 200.")]);
  });
}

for (const form of ["spki_pem", "spki_pem_trimmed", "jwk"]) {
  for (const bits of [384, 512]) {
    test(`variants: an API that keeps the key as ${form}, and lets the token choose HS${bits}, is fooled (RFC 8725 §2.1)`, async () => {
      await using as = await createMock();
      const secret = keptAs[form]!(await loadKey(as));
      const { rows: [row] } = await examineApi({
        as,
        call: (token) => new Response(null, { status: verifiesCarelessly(token, secret, bits) ? 200 : 401 }),
        only: ["access_token.hs256_with_public_key"],
      });
      assertEquals([row!.outcome, row!.variant], ["fooled", `${form}_hs${bits}`]);
    });

    test(`variants: an ID token with HS${bits} and the key as ${form} verifies (RFC 7518 §3.2)`, async () => {
      await using as = await createMock();
      const secret = keptAs[form]!(await loadKey(as));
      using _wrong = as.misbehave("id_token.hs256_with_public_key", { variant: `${form}_hs${bits}` });
      const { id_token: idToken } = await as.login("alice");
      assertEquals(verifiesCarelessly(idToken!, secret, bits), true);
      assertEquals([decodeProtectedHeader(idToken!).alg, decodeJwt(idToken!)["at_hash"]], [
        `HS${bits}`,
        undefined,
      ]);
    });
  }
}

for (const bits of [384, 512]) {
  test(`variants: a client that takes RS${bits} of a published key is fooled (OpenID Connect Core §3.1.3.7 (7))`, async () => {
    const { rows: [row] } = await examine({
      client: async (as, scenario) => {
        const keys = (await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json()).keys as PublicJwk[];
        await createClient(naive)({
          ...as,
          fetch: async (...request) => {
            const response = await as.fetch(...request);
            if (!`${request[0]}`.endsWith("/token")) return response;
            const { id_token: idToken } = await response.clone().json();
            const { alg, kid } = decodeProtectedHeader(idToken);
            if (alg !== "RS256" && alg !== `RS${bits}`) throw new Error("another alg");
            const { alg: _alg, ...jwk } = keys.find((key) => key["kid"] === kid)!;
            await compactVerify(idToken, await importJWK({ ...jwk }, alg));
            // The hash of at_hash depends on the alg.
            if (alg === "RS256" === (decodeJwt(idToken)["at_hash"] === undefined)) throw new Error("at_hash");
            return response;
          },
        }, scenario);
      },
      only: ["id_token.alg_unregistered"],
      within: 60,
    });
    assertEquals([row!.outcome, row!.variant], ["fooled", `rs${bits}`], row!.because);
  });
}

test("variants: a client that keeps the key in another form, and lets the ID token choose HS256, is fooled, too (RFC 8725 §2.1)", async () => {
  const { rows: [row] } = await examine({
    client: async (as, scenario) => {
      const secret = keptAs["jwk"]!(await loadKey(as));
      await createClient(naive)({
        ...as,
        fetch: async (...request) => {
          const response = await as.fetch(...request);
          if (!`${request[0]}`.endsWith("/token")) return response;
          const { id_token: idToken } = await response.clone().json();
          if (!verifiesCarelessly(idToken, secret)) throw new Error("the signature is wrong");
          return response;
        },
      }, scenario);
    },
    only: ["id_token.hs256_with_public_key"],
    within: 60,
  });
  assertEquals([row!.outcome, row!.because], [
    "fooled",
    describe("jwk", "Afterwards the client sent GET userinfo."),
  ]);
});

const otherJwts = [
  "jarm.jwt_hs256_with_public_key",
  "userinfo.jwt_hs256_with_public_key",
  "introspection.jwt_hs256_with_public_key",
  "logout.hs256_with_public_key",
] as const;

for (const form of ["spki_pem", "spki_pem_trimmed", "jwk"]) {
  test(`variants: a client that keeps the key as ${form}, and lets each other JWT choose HS256, is fooled (RFC 8725 §2.1)`, async () => {
    const takesHmac = (jwt: string, key: JWK) =>
      decodeProtectedHeader(jwt).alg === "HS256" && verifiesCarelessly(jwt, keptAs[form]!(key as PublicJwk));
    const { rows } = await examine({
      client: createClient({ ...quick, takesHmac }),
      only: otherJwts,
      within: 60,
    });
    assertEquals(
      rows.map(({ name, outcome, variant }) => [name, outcome, variant]),
      otherJwts.map((name) => [name, "fooled", form]),
    );
  });
}

test("variants: each form that an elliptic curve has is tried, too", async () => {
  await using as = await createMock({ alg: "ES256" });
  const { rows: [row] } = await examineApi({
    as,
    call: (token) => {
      const { alg } = decodeProtectedHeader(token);
      return new Response(null, { status: alg === "ES256" ? 200 : 401 });
    },
    only: ["access_token.hs256_with_public_key"],
  });
  assertEquals(row!.outcome, "noticed", row!.because);
});

/** As `cryptography` for Python writes the foreign keys. */
const openssh = {
  RS256:
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQCsyvsaJ/hdxplXBrnGberyFSZrjDVAAJerWlRarCXzraOgSnF9PCUyD4EQpe7I" +
    "6tc09qlzXsn2DwlWhwiYCHOdSpAxFh/cBd/yzd4cM1Y5plQzAZkOMNV+TuafrNnrPJljl0Dz61f8fmvtZCl3nGnJjoakTyWeA7iP" +
    "IJ+yAvJLqYRrU2FbPh9y3MYBQkg1Bk7PjLNjpspOujx7+bUrcXKiLZbDeGpqCRmastHxUGIlEfJHTbBYeDULwYlBbEHI3GiqbsIr" +
    "EDC1+3if9JS/U2MJb50yKhw3h9eoRAzzebbhryy6tK+zo6AIhiv5JiJ0g/0IhSp8WC7nMuQb7TZRpGTp",
  ES256:
    "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBLFVwCAHRZOiFRs+iY4276R+EJe7" +
    "7Trdns37rgc57ldMEQOzL0ovNrE6ChfpNBP8mgZltCbjpn30YkoGcmfWjt0=",
  EdDSA: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMiYObz2J33lKctOV0Viwjt5T1Jf4evlTM3WTid0OEGV",
};

test("variants: each kind of key has each form as OpenSSL writes it (RFC 5280 §4.1; RFC 8017 A.1.1)", () => {
  for (const alg of ["RS256", "ES256", "EdDSA"] as const) {
    const jwk = publish(foreignKeyFor(alg), alg);
    const modulus = `${jwk.n ?? jwk.x}`;
    // The point of a curve stands at the end of the SPKI.
    const octets = alg === "ES256"
      ? Uint8Array.from(write(jwk, "spki", "der") as Buffer).slice(-65)
      : fromBase64url(modulus);
    const own = {
      jwk: JSON.stringify(jwk),
      modulus,
      modulus_octets: octets,
      openssh: openssh[alg],
    };
    const kinds = (["spki", "pkcs1"] as const).map((kind) => {
      const type = alg === "RS256" ? kind : "spki";
      const [pem, der] = [`${write(jwk, type, "pem")}`, Uint8Array.from(write(jwk, type, "der") as Buffer)];
      const [trimmed, indented] = [pem.trim(), `\n${pem}`];
      return Object.entries({ pem, pem_trimmed: trimmed, pem_indented: indented, der })
        .map(([form, written]) => [`${kind}_${form}`, written]);
    });
    const all = publicKeyForms.map((form) => [form, writePublicKey(form, jwk)]);
    assertEquals(all, [...kinds.flat(), ...Object.entries(own)]);
    assertEquals(writePublicKey("empty", jwk), "");
  }
});

test("variants: the certificate of a foreign key is a chain in PEM, and no cache keeps it (RFC 8555 §9.1)", async () => {
  await using as = await createMock();
  const { token } = await as.forge("access_token.key_by_url", { variant: "x5u" });
  const { headers } = await as.fetch(`${decodeProtectedHeader(token)["x5u"]}`);
  const found = [headers.get("content-type"), headers.get("cache-control")];
  assertEquals(found, ["application/pem-certificate-chain", "no-store"]);
});

for (const alg of ["RS256", "ES256", "EdDSA"] as const) {
  test(`variants: an API that loads a certificate from the URL in a token is fooled (${alg}, RFC 7515 §4.1.5)`, async () => {
    await using as = await createMock({ alg });
    for (const status of [200, 401]) {
      const { rows: [row] } = await examineApi({
        as,
        call: async (token) => {
          const { x5u, jku } = decodeProtectedHeader(token);
          if (jku !== undefined) return new Response(null, { status: 401 });
          const terms = { load: as.fetch, issuer: as.issuer, status, alg };
          const answer = await answerObediently(token, terms);
          return new Response(null, { status: x5u === undefined ? 200 : answer });
        },
        only: ["access_token.key_by_url"],
      });
      assertEquals(row!.outcome, "fooled");
      const [request] = row!.requests;
      assertEquals(row!.requests.length, 1);
      assertEquals(
        row!.because.replace(/ The answer lacks .*/, ""),
        `With the variant x5u: The API called the URL in the header: GET ${
          request!.path
        }. The API answered ${status}.`,
      );
    }
  });
}

/** Loads what a client with these habits would load for the header of an ID token. */
const obeying =
  (find: (header: { jku?: string; kid?: string }, issuer: string) => string | undefined) =>
  async (as: Mock, scenario: Scenario) =>
    await createClient(quick)({
      ...as,
      fetch: async (...request) => {
        const response = await as.fetch(...request);
        if (!`${request[0]}`.endsWith("/token")) return response;
        const { id_token: idToken } = await response.clone().json();
        const url = find(decodeProtectedHeader(idToken), as.issuer);
        if (url !== undefined) await (await as.fetch(url)).body?.cancel();
        return response;
      },
    }, scenario);

const loaders: Readonly<Record<string, readonly [Parameters<typeof obeying>[0], MisbehaviourName, string]>> =
  {
    "a jku whose host ends with the right one": [
      ({ jku }, issuer) => jku && new URL(jku).host.endsWith(new URL(issuer).host) ? jku : undefined,
      "id_token.jku_foreign",
      "host_inside",
    ],
    "a jku that matches the issuer as a regular expression": [
      ({ jku }, issuer) => jku && new RegExp(`^${issuer}/`).test(jku) ? jku : undefined,
      "id_token.jku_foreign",
      "similar_host",
    ],
    "a kid that is a URL": [
      ({ kid = "" }) => URL.canParse(kid) ? kid : undefined,
      "id_token.kid_unknown",
      "url",
    ],
    "a jku if its own keys have not the kid": [
      ({ jku }) => jku,
      "id_token.kid_unknown",
      "jku",
    ],
  };

for (const [what, [find, name, variant]] of Object.entries(loaders)) {
  test(`variants: a client that loads keys from ${what} is fooled, and the strict one is right (RFC 8725 §3.10)`, async () => {
    for (const isRight of [false, true]) {
      const client = isRight ? createClient(quick) : obeying(find);
      const { rows: [row] } = await examine({ client, only: [name], options: { alg: quickAlg }, within: 60 });
      const right = name === "id_token.kid_unknown" ? "noticed" : "tolerated";
      const outcome = isRight ? right : name === "id_token.kid_unknown" ? "fooled" : "broke";
      assertEquals([row!.outcome, row!.because], [outcome, row!.because]);
      if (isRight) continue;
      const says = name === "id_token.jku_foreign"
        ? "The client called the URL in the header: GET decoy."
        : "Afterwards the client sent GET decoy. It ended later with";
      assertEquals(row!.because.replace(/later with .*/, "later with"), describe(variant, says));
    }
  });
}

/** Which key a client takes by the header of a JWT, and the variant by which it is fooled. */
const keyTakers: Readonly<Record<string, readonly [NonNullable<Habits["takesKey"]>, variant: string]>> = {
  // deno-lint-ignore require-await -- another one loads the keys
  "the key in the header": [async ({ jwk }) => jwk, "unnamed"],
  "the key in the header if the kid is its thumbprint": [
    async ({ jwk, kid }) => jwk && await calculateJwkThumbprint(jwk) === kid ? jwk : undefined,
    "kid_own",
  ],
  "the key at the URL in the header": [
    async ({ jku, kid }, fetch) => {
      const { keys = [] }: { readonly keys?: readonly JWK[] } = jku ? await (await fetch(jku)).json() : {};
      return keys.find((key) => key.kid === kid);
    },
    "jku",
  ],
};

for (const [what, [takesKey, variant]] of Object.entries(keyTakers)) {
  test(`variants: a client that takes ${what} is fooled by logout tokens and JWTs of responses (JARM §2.4)`, async () => {
    const { rows } = await examine({
      client: createClient({ ...quick, takesKey }),
      only: ["jarm.jwt_key_embedded", "logout.key_embedded"],
      options: { alg: quickAlg },
      within: 60,
    });
    for (const row of rows) {
      assertEquals([row.level, row.outcome, row.variant], ["must", "fooled", variant], row.because);
    }
  });
}

for (const [way, variant] of [["startsWith", "host_inside"], ["includes", "host_inside"]] as const) {
  test(`variants: a client is fooled on a port, too, if a jku ${way} the issuer (RFC 8725 §3.10)`, async () => {
    const { rows: [row] } = await examine({
      client: async (as, scenario) =>
        await createClient(quick)({
          ...as,
          fetch: async (...request) => {
            const response = await as.fetch(...request);
            if (!`${request[0]}`.endsWith("/token")) return response;
            const { jku } = decodeProtectedHeader((await response.clone().json()).id_token);
            if (jku?.[way](as.issuer)) {
              await new Promise((resolve) => get(jku, (answer) => answer.resume().on("end", resolve)));
            }
            return response;
          },
        }, scenario),
      only: ["id_token.jku_foreign"],
      options: { alg: quickAlg },
      listen: true,
      within: 60,
    });
    assertEquals(row!.because, describe(variant, "The client called the URL in the header: GET decoy."));
  });
}

test("variants: a test chooses one by its name", async () => {
  await using as = await createMock();
  const secret = keptAs["pkcs1_pem"]!(await loadKey(as));
  const { token } = await as.forge("access_token.hs256_with_public_key", { variant: "pkcs1_pem" });
  const usual = await as.forge("access_token.hs256_with_public_key");
  assertEquals([verifiesCarelessly(token, secret), verifiesCarelessly(usual.token, secret)], [true, false]);
  using _wrong = as.misbehave("id_token.hs256_with_public_key", { variant: "pkcs1_pem" });
  const { id_token: idToken } = await as.login("alice");
  assertEquals(verifiesCarelessly(idToken!, secret), true);
});

const readIdToken = async (as: Mock) => decodeJwt((await as.login("alice")).id_token!);

const readStates = async (as: Mock) => {
  const callback = await as.authorize(authorizeUrl(as.issuer, { scope: "openid", state: "mine" }));
  return callback.searchParams.getAll("state");
};

const readUserinfo = async (as: Mock) => {
  const { access_token: token } = await as.login("alice");
  const response = await as.fetch(`${as.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  return await response.text();
};

/** Returns the end of the sub in the ID token, and in userinfo. */
const readSubs = async (as: Mock) =>
  [await readIdToken(as), JSON.parse(await readUserinfo(as))].map(({ sub }) => sub.replace(/^.*-/, ""));

type Written = readonly [
  name: MisbehaviourName,
  variant: string,
  read: (as: Mock) => unknown,
  expected: unknown,
];

const written: readonly Written[] = [
  ["authorization_response.state_changed", "own_form", readStates, ["njof"]],
  ["authorization_response.state_twice", "wrong_last", readStates, ["mine", "another-state"]],
  ["authorization_response.state_twice", "wrong_first", readStates, ["another-state", "mine"]],
  ["authorization_response.state_twice", "equal", readStates, ["mine", "mine"]],
  ["id_token.aud_empty", "empty_list", async (as) => (await readIdToken(as)).aud, []],
  ["id_token.aud_empty", "empty_text", async (as) => (await readIdToken(as)).aud, [""]],
  [
    "id_token.iss_part",
    "shorter",
    async (as) => `${(await readIdToken(as)).iss}#` === as.issuer.replace(/.$/, "#"),
    true,
  ],
  ["id_token.iss_part", "scheme", async (as) => (await readIdToken(as)).iss, "https"],
  ["userinfo.sub_similar", "normalization", readSubs, ["\u00e9", "e\u0301"]],
  ["userinfo.sub_similar", "capitals", readSubs, ["a", "A"]],
  ["userinfo.unreadable", "truncated", async (as) => /^{.*[^}]$/.test(await readUserinfo(as)), true],
  ["userinfo.unreadable", "html", async (as) => (await readUserinfo(as)).slice(0, 9), "<!doctype"],
  ["userinfo.unreadable", "list", async (as) => /^\[{.*}]$/.test(await readUserinfo(as)), true],
];

for (const [name, variant, read, expected] of written) {
  test(`variants: ${name} as ${variant} is what a client receives`, async () => {
    await using as = await createMock();
    using _wrong = as.misbehave(name, { variant });
    assertEquals(await read(as), expected);
  });
}

test("variants: a changed state keeps what stands between its letters and digits", async () => {
  await using as = await createMock();
  using _wrong = as.misbehave("authorization_response.state_changed", { variant: "own_form" });
  const url = authorizeUrl(as.issuer, { scope: "openid", state: "aZ09z_-.:/pageY" });
  assertEquals((await as.authorize(url)).searchParams.get("state"), "bA10a_-.:/qbhfZ");
});

test("variants: an unknown name is refused", async () => {
  await using as = await createMock();
  await assertRejects(
    () => as.forge("access_token.audience_empty", { variant: "x5c" }),
    TypeError,
    'Cannot forge access_token.audience_empty: expected one of list, text as variant, but got "x5c"',
  );
  assertThrows(
    () => as.misbehave("id_token.aud_missing", { variant: "x5c" }),
    TypeError,
    'Cannot misbehave with id_token.aud_missing: expected no variant, but got "x5c"',
  );
});

for (const alg of ["RS256", "ES256"] as const) {
  test(`keys.kid_duplicate: the keys of an ${alg} server with one kid have different types`, async () => {
    await using as = await createMock({ alg });
    using _wrong = as.misbehave("keys.kid_duplicate");
    const response = await as.fetch(`${as.issuer}/oauth2/jwks`);
    const { keys } = await response.json() as { readonly keys: readonly PublicJwk[] };
    for (const same of Map.groupBy(keys, ({ kid }) => kid).values()) {
      assertEquals(same.map(({ kty }) => kty).sort(), ["EC", "RSA"]);
    }
  });
}

const hasShell = ["sh", "curl"].every((each) => spawnSync(each, ["--version"]).error === undefined);
const title =
  "variants: a client is fooled that hands the authorization URL to a shell, and no other (CVE-2025-6514)";

if (!hasShell) test.skip(title, "there is no sh or curl");
else {
  test(title, async () => {
    const open = (browse: (url: URL) => Promise<URL>) => async (as: Mock, scenario: Scenario) =>
      await createClient(strict)(as, {
        ...scenario,
        browse: (url) => browse(new URL(url)).then(scenario.browse),
      });
    const outcomes = [];
    for (const isShell of [true, false]) {
      const client = open((url) =>
        new Promise((resolve) => {
          const echo = isShell ? spawn("sh", ["-c", `echo "${url}"`]) : spawn("echo", [url.href]);
          echo.on("close", () => resolve(url));
        })
      );
      const only = ["metadata.authorization_endpoint_script"] as const;
      const { rows: [row] } = await examine({ client, only, listen: true });
      outcomes.push([row!.outcome, row!.because.replace(/http.*/, "")]);
    }
    assertEquals(outcomes, [
      ["fooled", "With the variant shell: Afterwards the client sent GET decoy."],
      ["noticed", "The client refused: Refusal: the authorization_endpoint is javascript:location='"],
    ]);
  });
}

for (const [variant, server] of Object.entries(privateServers)) {
  test(`variants: a client that calls its own machine by ${variant} for a public API is fooled, and the call goes nowhere (RFC 9728 §7.7)`, async () => {
    await using as = await createMock();
    as.resource("https://api.test/orders");
    const fault = as.misbehave("resource.servers_private", { variant });
    const described = await as.fetch("https://api.test/.well-known/oauth-protected-resource/orders");
    assertEquals((await described.json()).authorization_servers, [server]);
    assertEquals(fault.proven, undefined);
    await as.fetch(`${server}/.well-known/oauth-authorization-server`);
    assertEquals(fault.proven?.outcome, "fooled");
    fault[Symbol.dispose]();
    await assertRejects(() => as.fetch(server), TypeError, "This fetch answers for");
  });
}
