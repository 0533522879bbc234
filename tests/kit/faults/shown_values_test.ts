/** What a client shows of itself in its logins at a right server (RFC 6749 §10.10, §10.12; RFC 7636 §7.1; RFC 9700 §2.1.1, §4.3.2). */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import {
  boundBits,
  countSymbols,
  findShort,
  findShownVerifier,
} from "../../../src/kit/faults/shown_values.ts";
import { type Card, examine, type ExamineTerms, type MisbehaviourName } from "../../../src/kit/mod.ts";
import { authorizeUrl, redirectUri, tokenForm } from "../mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { challengeOf } from "../../world.ts";
import { createClient } from "./clients/client.ts";
import { confidentialClient, quick, quickAlg } from "./clients/habits.ts";
import { seenAt } from "./seen_requests.ts";

const only: readonly MisbehaviourName[] = [
  ...[
    "login.access_token_in_url",
    "login.id_token_in_url",
    "login.nonce_short",
    "login.state_short",
  ] as const,
  ...["login.verifier_short", "login.verifier_shown"] as const,
];

/** The values of a login. Absent: the client leaves it out. */
interface Values {
  readonly state: string;
  readonly nonce?: string;
  readonly verifier?: string;
  /** More parameters of the authorization request. */
  readonly params?: Readonly<Record<string, string>>;
  /** The client pushes its request (RFC 9126). */
  readonly isPushed?: true;
}

/** Returns what is found, by the names of the rows, except what is right or does not apply. */
async function find(
  ...terms: Parameters<typeof examineValues>
): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(
    (await examineValues(...terms)).filter(({ outcome }) => outcome === "fooled")
      .map(({ name, because }) => [name.slice(6), because]),
  );
}

async function examineValues(
  choose: () => Values,
  call: (
    as: Parameters<ExamineTerms["client"]>[0],
    tokens: Record<string, string>,
    api: string,
  ) => Promise<unknown> = () => Promise.resolve(),
): Promise<Card["rows"]> {
  const { rows } = await examine({
    only,
    options: { alg: quickAlg, clients: [confidentialClient] },
    // Two logins, because what is the same in both is no chance.
    async client(as, { issuer, redirectUri, api, browse }) {
      for (let login = 1; login <= 2; login++) {
        const { state, nonce, verifier, params, isPushed } = choose();
        const url = authorizeUrl(issuer, { scope: "openid", state, ...params });
        if (nonce !== undefined) url.searchParams.set("nonce", nonce);
        if (verifier === undefined) {
          for (const name of ["code_challenge", "code_challenge_method"]) url.searchParams.delete(name);
        } else url.searchParams.set("code_challenge", challengeOf(verifier));
        const headers = { authorization: `Basic ${btoa("app:a-secret-of-this-test")}` };
        if (isPushed) {
          const pushed = { method: "POST", headers, body: url.searchParams };
          const { request_uri } = await (await as.fetch(`${issuer}/oauth2/par`, pushed)).json();
          url.search = `${new URLSearchParams({ client_id: "app", request_uri })}`;
        }
        const code = `${(await browse(url)).searchParams.get("code")}`;
        const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
        const body = new URLSearchParams(
          verifier === undefined ? form : { ...form, code_verifier: verifier },
        );
        const response = await as.fetch(`${issuer}/oauth2/token`, { method: "POST", headers, body });
        assertEquals(response.status, 200);
        await call(as, await response.json(), api);
      }
    },
  });
  return rows;
}

const random = (octets: number, encoding: "base64url" | "hex" = "base64url") =>
  randomBytes(octets).toString(encoding);
const right = () => ({ state: random(16), nonce: random(16), verifier: random(32) });

test("shown: the strict client shows nothing", async () => {
  const { rows } = await examine({ client: createClient(quick), only, options: { alg: quickAlg } });
  assertEquals([...new Set(rows.map(({ outcome }) => outcome))], ["unharmed"]);
});

const likeUuids = ["2f1c0d9a7b3e4c5d8e6f7a8b9c0d1e2f", "91d0e4b2c6584f3aa1b7c0d9e8f7a6b5"];

const rightValues: Readonly<Record<string, () => Values>> = {
  "random octets in base64url": right,
  "random octets in hexadecimal": () => ({
    ...{ state: random(16, "hex"), nonce: random(16, "hex"), verifier: random(32, "hex") },
  }),
  "two UUIDs": () => ({
    ...{ state: crypto.randomUUID() + crypto.randomUUID(), nonce: crypto.randomUUID() + crypto.randomUUID() },
    verifier: crypto.randomUUID() + crypto.randomUUID() + crypto.randomUUID(),
  }),
  // One number of 64 has the form of a UUID by chance.
  "hexadecimal numbers that look like a UUID": () => ({ state: likeUuids.pop()! }),
  // RFC 9700 §2.1.
  "a short state that PKCE protects": () => ({ ...right(), state: random(4) }),
  "a short state that a nonce protects": () => ({ state: random(4), nonce: random(16) }),
  "no more than a state": () => ({ state: random(16) }),
  // The client_id, and a short state, may be in any text.
  "a code_verifier that begins with the client_id": () => ({ ...right(), verifier: `app.${random(32)}` }),
  "a code_verifier that has the state, and 256 bits of its own": () => {
    const state = random(16);
    return { ...right(), state, verifier: `${state}.${random(32)}` };
  },
  "a state of one letter": () => ({ ...right(), state: "a" }),
  "the hash of the verifier as state": () => {
    const verifier = random(32);
    return { ...right(), verifier, state: createHash("sha256").update(verifier).digest("hex") };
  },
};

for (const [title, choose] of Object.entries(rightValues)) {
  test(`shown: nothing is wrong with ${title}`, async () => assertEquals(await find(choose), {}));
}

test("shown: a short state that PKCE protects is said to be short, and why that is no fault (RFC 9700 §2.1)", async () => {
  const states = ["a-state", "my-text"];
  const all = await examineValues(() => ({ ...right(), state: states.pop()! }));
  const { outcome, because } = all.find(({ name }) => name === "login.state_short")!;
  assertEquals([outcome, because], [
    "unharmed",
    "The state has 36 bits at most, because it has 7 characters of 38 kinds. " +
    "A code_verifier or a nonce protects the login in its place.",
  ]);
});

for (const hyphen of ["-", ""]) {
  test(`shown: six bits of a UUID ${hyphen ? "with" : "without"} hyphens are fixed (RFC 9562 §5.4)`, async () => {
    const create = () => crypto.randomUUID().replaceAll("-", hyphen);
    const because = "has 122 bits at most, because it is a UUID of version 4. It needs 128.";
    const verifier = () => create() + create() + create();
    const found = await find(() => ({ state: create(), nonce: create(), verifier: verifier() }));
    assertEquals(found, { nonce_short: `The nonce ${because}` });
    if (hyphen) {
      assertEquals(await find(() => ({ state: create() })), { state_short: `The state ${because}` });
    }
  });
}

test("shown: a state with less than 128 bits alone protects a login (RFC 6749 §10.10, §10.12)", async () => {
  assertEquals(await find(() => ({ state: random(8, "hex") })), {
    state_short: "The state has 64 bits at most, because it has 16 characters of 16 kinds. It needs 128.",
  });
});

test("shown: a nonce with less than 128 bits is advice (OpenID Connect Core §15.5.2)", async () => {
  const nonces = ["19283746", "83920174"];
  assertEquals(await find(() => ({ ...right(), nonce: nonces.pop()! })), {
    nonce_short: "The nonce has 26 bits at most, because it has 8 characters of 10 kinds. It needs 128.",
  });
});

/** A state whose only chance is a short text, and what is found. */
const ofData: Readonly<Record<string, readonly [make: (own: string) => string, because: string]>> = {
  "JSON in base64url": [
    (n) =>
      Buffer.from(JSON.stringify({ returnTo: "/a/long/page/of/the/application", n })).toString("base64url"),
    "The state has 56 bits at most, because it differs in at most 14 characters of 16 kinds. It needs 128.",
  ],
  "JSON in base64": [
    (n) => Buffer.from(JSON.stringify({ n, returnTo: "/a/long/page/of/the/application" })).toString("base64"),
    "The state has 72 bits at most, because it differs in at most 18 characters of 16 kinds. It needs 128.",
  ],
  "a page after a colon": [
    (n) => `${n}:%2Forders%2F2026%2Fof%2Falice`,
    "The state has 48 bits at most, because it differs in at most 12 characters of 16 kinds. It needs 128.",
  ],
  "most of a UUID": [
    (n) => `3f8a5c1e-7b2d-4e6f-9a0b-c4d5e6f7${n}`,
    "The state has 48 bits at most, because it differs in at most 12 characters of 16 kinds. It needs 128.",
  ],
  "a name before it": [
    (n) => `the-login-of-this-application-${n}`,
    "The state has 48 bits at most, because it differs in at most 12 characters of 16 kinds. It needs 128.",
  ],
};

for (const [what, [make, because]] of Object.entries(ofData)) {
  test(`shown: what each state has, such as ${what}, is no chance (RFC 6749 §10.10)`, async () => {
    const own = ["0a1b", "f9e8"];
    assertEquals(await find(() => ({ state: make(own.pop()!) })), { state_short: because });
    // As much chance as a right state has.
    assertEquals(await find(() => ({ state: make(random(16, "hex")) })), {});
  });
}

for (
  const [what, state] of Object.entries({
    "a constant text": "a-constant-state-that-is-very-long-but-always-the-same",
    "constant JSON": Buffer.from(JSON.stringify({ returnTo: "/login" })).toString("base64url"),
    "a constant UUID": crypto.randomUUID(),
  })
) {
  test(`shown: ${what} has no chance (RFC 6749 §10.12)`, async () => {
    assertEquals(await find(() => ({ state })), {
      state_short: "The state has no chance, because it is the same in each login. It needs 128.",
    });
    const all = await examineValues(() => ({ ...right(), state }));
    const { outcome, because } = all.find(({ name }) => name === "login.state_short")!;
    assertEquals([outcome, because], [
      "unharmed",
      "The state has no chance, because it is the same in each login. " +
      "A code_verifier or a nonce protects the login in its place.",
    ]);
  });
}

test("shown: random values that begin with some equal characters are as they were", async () => {
  const found = await find(() => ({
    state: `7d3${random(16, "hex").slice(3)}`,
    nonce: `AAA${random(16).slice(3)}`,
  }));
  assertEquals(found, {});
});

test("shown: one login does not show what is the same in each", () => {
  const facts = { flow: "1" };
  const begun = seenAt("authorize", {
    number: 1,
    query: "state=a-state-that-is-long-enough-for-128-bits",
    facts,
  });
  const ended = seenAt("token", { number: 2, form: { grant_type: "authorization_code", code: "c" }, facts });
  assertEquals(findShort("state", 128)([[begun, ended]]), undefined);
});

test("shown: a code_verifier with less than 256 bits (RFC 7636 §7.1)", async () => {
  assertEquals(await find(() => ({ ...right(), verifier: random(24, "hex") })), {
    verifier_short:
      "The code_verifier has 192 bits at most, because it has 48 characters of 16 kinds. It needs 256.",
  });
});

const madeOf = (form: string) => ({
  verifier_shown: `The code_verifier follows from the authorization request, because it is made of ${form}.`,
});

const sha256 = (text: string, encoding: "base64url" | "hex" = "base64url") =>
  createHash("sha256").update(text).digest(encoding);
const reversed = (text: string) => [...text].reverse().join("");

/** Ways in which a client makes the verifier of what the request shows, and how the row names them. */
const makings: Readonly<Record<string, (state: string, nonce: string) => string>> = {
  "state": (state) => state + state,
  "state in base64url": (state) => Buffer.from(state).toString("base64url"),
  "state in hexadecimal": (state) => Buffer.from(state).toString("hex"),
  "state backwards": reversed,
  "state backwards in base64url": (state) => Buffer.from(reversed(state)).toString("base64url"),
  "state backwards in hexadecimal": (state) => Buffer.from(reversed(state)).toString("hex"),
  "the SHA-256 of state": (state) => sha256(state),
  "the SHA-256 of state in hexadecimal": (state) => sha256(state, "hex"),
  "the SHA-256 of nonce": (_state, nonce) => sha256(nonce),
  "the SHA-256 of client_id and state": (state) => sha256(`app${state}`),
  "the SHA-256 of state:client_id": (state) => sha256(`state:app`.replace("state", state)),
  "the SHA-256 of client_id|nonce in hexadecimal": (_state, nonce) => sha256(`app|${nonce}`, "hex"),
  "the SHA-256 of redirect_uri and state": (state) => sha256(`${redirectUri}${state}`),
  "the SHA-256 of client_id and state and nonce": (state, nonce) => sha256(`app${state}${nonce}`),
  "the SHA-256 of nonce.state.redirect_uri.client_id": (state, nonce) =>
    sha256(`${nonce}.${state}.${redirectUri}.app`),
  "client_id:state in base64url": (state) => Buffer.from(`app:${state}`).toString("base64url"),
  "state.nonce": (state, nonce) => `${state}.${nonce}`,
  "nonce and state": (state, nonce) => nonce + state,
};

for (const [form, make] of Object.entries(makings)) {
  test(`shown: a code_verifier that is made of ${form} (RFC 7636 §7.1)`, async () => {
    const found = await find(() => {
      const [state, nonce] = [random(33), random(24)];
      return { state, nonce, verifier: make(state, nonce) };
    });
    assertEquals(found, madeOf(form));
  });
}

test("shown: a constant beside the state is no chance (RFC 7636 §7.1)", async () => {
  const found = await find(() => {
    const state = random(33);
    return { ...right(), state, verifier: `app.${state}~a-salt-of-the-client` };
  });
  assertEquals(found, madeOf("state"));
});

test("shown: a code_verifier that is cut to its longest (RFC 7636 §4.1, §7.1)", async () => {
  const found = await find(() => {
    const state = random(96);
    return { ...right(), state, verifier: Buffer.from(state).toString("hex").slice(0, 128) };
  });
  assertEquals(found, madeOf("state in hexadecimal"));
});

test("shown: a code_verifier that is the nonce (RFC 7636 §7.1)", async () => {
  const found = await find(() => {
    const nonce = random(32);
    return { ...right(), nonce, verifier: nonce };
  });
  assertEquals(found, {
    verifier_shown: "The parameter nonce of the authorization request has the code_verifier.",
  });
});

test("shown: nothing is said of the method plain, which other rows are about (RFC 7636 §4.2)", () => {
  const verifier = random(32);
  const find = (name: string) => {
    const facts = { flow: "1" };
    const begun = seenAt("authorize", {
      number: 1,
      query: `${new URLSearchParams({ [name]: verifier })}`,
      facts,
    });
    const form = { grant_type: "authorization_code", code: "c", code_verifier: verifier };
    return findShownVerifier([[begun, seenAt("token", { number: 2, form, facts })]])?.because;
  };
  assertEquals(find("code_challenge"), undefined);
  assertEquals(find("state"), "The parameter state of the authorization request has the code_verifier.");
});

test("shown: of a pushed request, the browser has the state only (RFC 9126 §2)", async () => {
  const withVerifier = (name: "state" | "nonce") => () => {
    const verifier = random(32);
    return { ...right(), verifier, [name]: verifier, isPushed: true } as const;
  };
  assertEquals(await find(withVerifier("nonce")), {});
  assertEquals(await find(withVerifier("state")), {
    verifier_shown: "The parameter state of the authorization request has the code_verifier.",
  });
});

const carriers: Readonly<Record<string, (verifier: string) => Pick<Values, "params">>> = {
  code_verifier: (verifier) => ({ params: { code_verifier: verifier } }),
  state: (verifier) => ({ params: { state: btoa(JSON.stringify({ verifier })) } }),
  app_data: (verifier) => ({ params: { app_data: JSON.stringify({ verifier }) } }),
};

for (const [name, carry] of Object.entries(carriers)) {
  test(`shown: a code_verifier inside of the parameter ${name} (RFC 9700 §2.1.1)`, async () => {
    const found = await find(() => {
      const verifier = random(32);
      return { ...right(), verifier, ...carry(verifier) };
    });
    assertEquals(found, {
      verifier_shown: `The parameter ${name} of the authorization request has the code_verifier.`,
    });
  });
}

test("shown: an access token in a URL, also one beside the header (RFC 9700 §4.3.2)", async () => {
  const found = await find(right, async (as, { access_token: token = "" }) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await as.fetch(`${as.issuer}/userinfo?access_token=${token}`, { headers });
    await response.body?.cancel();
  });
  assertEquals(found, { access_token_in_url: "The URL of GET userinfo has the access token in it." });
});

test("shown: an ID token in a URL is advice, and none as id_token_hint (OpenID Connect RP-Initiated Logout §2)", async () => {
  const end = (name: string) =>
    find(right, async (as, { id_token: token = "" }, api) => {
      const url = name === "id_token_hint" ? `${as.issuer}/oauth2/logout` : api;
      await (await as.fetch(`${url}?${name}=${token}`)).body?.cancel();
    });
  assertEquals(await end("id_token_hint"), {});
  assertEquals(await end("user"), { id_token_in_url: "The URL of GET resource has the ID token in it." });
});

test("shown: an ID token in a URL says nothing about a client that gets none", async () => {
  const rows = await examineValues(() => ({ ...right(), params: { scope: "email" } }));
  const { outcome, because } = rows.find(({ name }) => name === "login.id_token_in_url")!;
  assertEquals([outcome, because], ["not_applicable", "The client gets no ID token."]);
});

/** How a client refreshes, and what the row about the old refresh token says. */
const refreshing: Readonly<
  Record<
    string,
    readonly [refresh: (client: Refreshing) => Promise<unknown>, outcome: string, because?: string]
  >
> = {
  "sends the old one after the new one": [
    async ({ first, refresh, call }) => {
      await call(await refresh(first));
      await refresh(first);
    },
    "fooled",
    "The client sent the old refresh token again after it had got the next one.",
  ],
  "sends the old one, and catches the refusal": [
    async ({ first, refresh, call }) => {
      await call(await refresh(first));
      await refresh(first).catch(() => {});
    },
    "fooled",
  ],
  "sends the new one": [
    async ({ first, refresh, call }) => {
      const next = await refresh(first);
      await call(next);
      await refresh(next);
    },
    "unharmed",
    "The requests to a right server do not show this.",
  ],
  "sends one a second time before it uses the answer": [
    async ({ first, refresh, call }) => {
      const next = await refresh(first);
      await refresh(first).catch(() => {});
      await call(next);
    },
    "unharmed",
  ],
  "refreshes once": [
    async ({ first, refresh, call }) => await call(await refresh(first)),
    "not_reached",
    "The client refreshed once, so nothing shows which refresh token it keeps: let its run refresh twice.",
  ],
  "never refreshes": [() => Promise.resolve(), "not_reached"],
};

type Tokens = Readonly<Record<string, string>>;

interface Refreshing {
  readonly first: Tokens;
  readonly refresh: (tokens: Tokens) => Promise<Tokens>;
  readonly call: (tokens: Tokens) => Promise<unknown>;
}

for (const [how, [run, outcome, because]] of Object.entries(refreshing)) {
  test(`shown: a client that ${how} is ${outcome} by the row about its refresh token (RFC 6749 §6)`, async () => {
    const { rows: [row], problem } = await examine({
      only: ["login.refresh_token_kept"],
      options: { alg: quickAlg },
      within: 60,
      async client(as, { api, clientId, browse, phase }) {
        const send = async (form: Tokens) => {
          const body = new URLSearchParams({ client_id: clientId, ...form });
          const response = await as.fetch(`${as.issuer}/oauth2/token`, { method: "POST", body });
          if (!response.ok) throw new Error(`the token endpoint answers ${response.status}`);
          return await response.json();
        };
        const url = authorizeUrl(as.issuer, { scope: "openid offline_access", resource: api });
        const code = `${(await browse(url)).searchParams.get("code")}`;
        const first = await send(Object.fromEntries(tokenForm({ code })));
        if (phase !== "refresh") return;
        await run({
          first,
          refresh: ({ refresh_token: token = "" }) =>
            send({ grant_type: "refresh_token", refresh_token: token }),
          call: async ({ access_token: token }) =>
            (await as.fetch(api, { headers: { authorization: `Bearer ${token}` } })).body?.cancel(),
        });
      },
    });
    assertEquals([row!.outcome, because === undefined || row!.because], [outcome, because ?? true]);
    assertEquals(problem?.includes("refresh_reused") === true, how === "sends the old one after the new one");
  });
}

test("shown: the alphabet of a text is never smaller than the one of which a random text is", () => {
  const alphabets = {
    "0123456789": 10,
    "0123456789abcdef": 16,
    "0123456789ABCDEF": 16,
    "0123456789abcdefghijklmnopqrstuvwxyz": 36,
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789": 62,
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_": 64,
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~": 66,
  };
  for (const [text, size] of Object.entries(alphabets)) {
    assertEquals([countSymbols(text), text.length], [size, size]);
  }
  assertEquals(countSymbols('{"a":1}'), 49);
  // 32 octets in base64url and in hexadecimal, and 43 letters and digits.
  assertEquals([boundBits(43, 64), boundBits(64, 16), boundBits(43, 62)], [258, 256, 256]);
});
