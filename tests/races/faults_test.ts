/** Store faults at each call of each request: the answer is clear, leaks nothing, and a retry gets the right answer. */
import { assert, assertEquals, assertExists, assertMatch } from "@std/assert";
import { memoryStore, type ServerOptions, type Store, StoreUnavailable } from "../../src/mod.ts";
import type { Client } from "../../src/oauth/clients/client.ts";
import { grants } from "../../src/oauth/tokens/grant.ts";
import { createLazyPages } from "../../src/pages/lazy.ts";
import { assembleServer } from "../../src/server/server.ts";
import { test } from "../runner.ts";
import { basic, callbackParams, createWorld, type Params, verifier, type World } from "../world.ts";
import { fastKey } from "./explorer.ts";
import { failingStore, type Fault, type Struck } from "./faults.ts";
import { type Form, openConsentForm, openSignInForm } from "./forms.ts";

const injected = "disk /dev/sda1 of db-7.internal failed";

const errors: Readonly<Record<string, () => Error>> = {
  "unavailable store": () => new StoreUnavailable(injected),
  "unexpected error": () => new Error(injected),
};

/** A world with a working store. */
interface Calm {
  readonly world: World;
  readonly store: Store;
}

/** A request that meets the fault. Each call that can fail gets a new one. */
interface Attempt {
  send(world: World): Promise<Response>;
  /** The request to send afterwards, when the store works. Default: the same. */
  retry?(world: World): Promise<Response>;
  /** Checks the answer to the retry. `struck` is absent when the first request met no fault and succeeded. */
  retried(response: Response, calm: Calm, struck: Struck | undefined): Promise<void>;
}

interface Case {
  readonly options?: ServerOptions;
  prepare(world: World): Promise<Attempt>;
  /** How a fault is answered. `either`: with a redirect or a page, depending on the call that fails. */
  readonly answered: "json" | "page" | "redirect" | "either";
  /** If the store is unavailable at this kind of record after the grant is written, the answer stays the same. */
  readonly afterGrant?: string;
  /** The request makes at least this many store calls. */
  readonly calls: number;
}

function faultTest(name: string, each: Case): void {
  for (const [what, createError] of Object.entries(errors)) {
    for (const when of ["before", "after"] as const) {
      test(`${name}: ${what} ${when} any store call gets a clear answer, and a retry works`, async () => {
        let call = 1;
        while (await strike(each, { call, when, error: createError() })) call++;
        assert(call > each.calls, `a fault struck ${call - 1} calls instead of at least ${each.calls}`);
      });
    }
  }
}

/** Resolves to whether the fault struck: it does not when the request makes fewer calls. */
async function strike({ options, prepare, answered, afterGrant }: Case, fault: Fault): Promise<boolean> {
  const memory = memoryStore();
  const open = (store: Store) => createWorld({ alg: "EdDSA", signingKeys: [fastKey], ...options, store });
  const failing = failingStore(memory, fault);
  const [calm, stormy] = [open(memory), open(failing.store)];
  try {
    const { send, retry = send, retried } = await prepare(calm);
    const response = await send(stormy);
    const { struck } = failing;
    const isTolerated = struck?.call.kind === afterGrant && fault.error instanceof StoreUnavailable &&
      await count("grant", { world: calm, store: memory }) > 0;
    if (struck !== undefined && !isTolerated) await requireFaultAnswer(response, answered, fault, stormy);
    else {
      assert(response.status < 500);
      assert(!/error=(server_error|temporarily_unavailable)/.test(location(response)), location(response));
    }
    await retried(await retry(calm), { world: calm, store: memory }, struck);
    return struck !== undefined;
  } finally {
    await Promise.all([calm.close(), stormy.close()]);
    await memory.close();
  }
}

async function requireFaultAnswer(
  response: Response,
  answered: Case["answered"],
  { error }: Fault,
  world: World,
): Promise<void> {
  const busy = error instanceof StoreUnavailable;
  const body = await response.text();
  const entry = world.journal.at(-1)!;
  const code = busy ? "temporarily_unavailable" : "server_error";
  const sentence = busy
    ? "The server is busy; try again in a few seconds"
    : `The server failed. Its journal has the cause under ${entry.id}`;
  const isRedirected = answered === "redirect" || answered === "either" && location(response) !== "";
  if (isRedirected) {
    const params = callbackParams(response);
    assertEquals(params.get("error"), code);
    assertEquals(params.get("error_description"), sentence);
    assertEquals(params.get("iss"), world.issuer);
    assertEquals(params.get("code"), null);
  } else {
    assertEquals(response.status, busy ? 503 : 500);
    assertEquals(response.headers.get("retry-after"), busy ? "2" : null);
  }
  if (answered === "json") {
    assertEquals(JSON.parse(body), { error: code, error_description: sentence });
  }
  if (answered !== "json" && !isRedirected) assertMatch(response.headers.get("content-type")!, /^text\/html/);
  assert(!response.headers.getSetCookie().some((cookie) => cookie.includes("session")));

  const sent = `${body} ${decodeURIComponent(JSON.stringify([...response.headers]))}`;
  for (const word of ["/dev/sda1", "db-7.internal", "StoreUnavailable", ".ts", "    at "]) {
    assert(!sent.includes(word), `the answer contains ${word}: ${sent}`);
  }
  assertEquals(entry.facts.refusal?.error, code);
  assertEquals(entry.facts.refusal?.reason, busy ? "store_unavailable" : "unexpected_error");
  // Only the journal has the whole error.
  assertEquals(entry.facts.fault, error);
}

function location(response: Response): string {
  return response.headers.get("location") ?? "";
}

function writtenTo(kind: string, struck: Struck | undefined): boolean {
  return struck === undefined || struck.written && struck.call.kind === kind;
}

async function statusOf(code: string, { store, world }: Calm): Promise<string | undefined> {
  return (await store.get(grants, code.split(".")[0]!, world.clock.now))?.value.status;
}

async function count(kind: string, { store }: Calm): Promise<number> {
  let found = 0;
  for await (const _entry of store.list!({ name: kind })) found++;
  return found;
}

/** Redeems a code with a fault. A code never gives more than one answer with tokens. */
function redemption(code: string, changed?: Params, headers?: HeadersInit): Attempt {
  const send = (world: World) => world.redeem(code, changed, headers);
  return {
    send,
    async retried(response, calm, struck) {
      const { world } = calm;
      if (writtenTo("grant", struck)) {
        // The code was used although the client got no tokens, so the retry is a replay.
        assertEquals([response.status, world.lastRefusal()?.reason], [400, "code_replayed"]);
        assertEquals(await statusOf(code, calm), "revoked");
      } else {
        assertEquals(response.status, 200, world.lastRefusal()?.reason);
        assertEquals(await statusOf(code, calm), "active");
      }
      const again = await send(world);
      assertEquals([again.status, (await again.json()).error], [400, "invalid_grant"]);
      assertEquals(await statusOf(code, calm), "revoked");
    },
  };
}

faultTest("redeem", {
  prepare: async (world) => redemption(await world.code()),
  answered: "json",
  calls: 2,
});

faultTest("redeem with a secret", {
  prepare: async (world) =>
    redemption(
      await world.code({ client_id: "basic" }),
      { client_id: undefined },
      basic("basic", "basic secret: a+b%c"),
    ),
  answered: "json",
  calls: 3,
});

faultTest("redeem for an opaque token", {
  options: { accessTokens: "opaque" },
  prepare: async (world) => redemption(await world.code()),
  answered: "json",
  calls: 3,
});

const newcomer = { client_id: "newcomer", redirect_uri: "http://127.0.0.1:4000/cb" };

faultTest("redeem on first use", {
  options: { firstUse: true },
  async prepare(world) {
    const form = { ...newcomer, client_secret: "a-secret" };
    const { send, retried } = redemption(await world.code(newcomer), form);
    return {
      send,
      async retried(response, calm, struck) {
        await retried(response, calm, struck);
        const client = await calm.store.get<Client>({ name: "client" }, "newcomer", calm.world.clock.now);
        assertEquals(client?.value.authentication?.method, "client_secret_post");
      },
    };
  },
  answered: "json",
  calls: 5,
});

faultTest("replay", {
  async prepare(world) {
    const code = await world.code();
    assertEquals((await world.redeem(code)).status, 200);
    return {
      send: (world) => world.redeem(code),
      async retried(response, calm) {
        assertEquals([response.status, (await response.json()).error], [400, "invalid_grant"]);
        assertEquals(await statusOf(code, calm), "revoked");
      },
    };
  },
  answered: "json",
  calls: 2,
});

faultTest("redeem with a wrong verifier", {
  async prepare(world) {
    const code = await world.code();
    return {
      send: (world) => world.redeem(code, { code_verifier: verifier.toUpperCase() }),
      retry: (world) => world.redeem(code),
      async retried(response, calm, struck) {
        const burnt = writtenTo("grant", struck);
        assertEquals(response.status, burnt ? 400 : 200);
        assertEquals(await statusOf(code, calm), burnt ? "revoked" : "active");
      },
    };
  },
  answered: "json",
  calls: 2,
});

faultTest("redeem with a wrong secret", {
  async prepare(world) {
    const code = await world.code({ client_id: "post" });
    return {
      send: (world) => world.redeem(code, { client_id: "post", client_secret: "guess" }),
      retry: (world) => world.redeem(code, { client_id: "post", client_secret: "post-secret" }),
      retried: (response) => Promise.resolve(assertEquals(response.status, 200)),
    };
  },
  answered: "json",
  calls: 2,
});

/** Redeems the code of this answer. */
async function requireRedeemableCode(response: Response, world: World, changed?: Params): Promise<void> {
  const code = callbackParams(response).get("code");
  assertExists(code, `no code, but ${location(response)}`);
  assertEquals((await world.redeem(code, changed)).status, 200);
}

faultTest("authorize", {
  prepare: () =>
    Promise.resolve({
      send: (world) => world.authorize(),
      retried: (response, { world }) => requireRedeemableCode(response, world),
    }),
  answered: "redirect",
  calls: 1,
});

faultTest("authorize on first use", {
  options: { firstUse: true },
  prepare: () =>
    Promise.resolve({
      send: (world) => world.authorize(newcomer),
      async retried(response, calm) {
        await requireRedeemableCode(response, calm.world, newcomer);
        assertEquals(await count("client", calm), 1);
      },
    }),
  answered: "page",
  calls: 3,
});

function approval(form: Form, changed?: Params): Attempt {
  return {
    send: (world) => form.send(world, { decision: "approve" }),
    async retried(response, calm, struck) {
      // An unexpected error may also strike after the grant is written, when consent is remembered.
      if (writtenTo("grant", struck) || response.status === 409) {
        assertEquals([response.status, calm.world.lastRefusal()?.reason], [409, "already_approved"]);
      } else await requireRedeemableCode(response, calm.world, changed);
      assertEquals(await count("grant", calm), 1);
    },
  };
}

faultTest("approve", {
  options: { login: "picker" },
  prepare: async (world) => approval(await openConsentForm(world)),
  answered: "redirect",
  afterGrant: "consent",
  calls: 2,
});

faultTest("approve on first use", {
  options: { login: "picker", firstUse: true },
  prepare: async (world) => approval(await openConsentForm(world, newcomer), newcomer),
  answered: "page",
  calls: 4,
});

faultTest("deny", {
  options: { login: "picker" },
  async prepare(world) {
    const form = await openConsentForm(world);
    return {
      send: (world) => form.send(world, { decision: "deny" }),
      async retried(response, calm, struck) {
        if (writtenTo("grant", struck)) {
          assertEquals([response.status, calm.world.lastRefusal()?.reason], [409, "already_denied"]);
        } else assertEquals(callbackParams(response).get("error"), "access_denied");
        assertEquals(await count("grant", calm), 1);
      },
    };
  },
  // The client gets access_denied only after the denial is stored.
  answered: "either",
  calls: 1,
});

/** After sign-in the person is asked for consent. A session that the fault left behind has no holder. */
function signIn(form: Form, fields: Params): Attempt {
  return {
    send: (world) => form.send(world, fields),
    retried(response) {
      assertEquals(response.status, 303);
      assertMatch(response.headers.getSetCookie().join(), /session/);
      assertMatch(location(response), /^\/oauth2\/authorize\?continue=/);
      return Promise.resolve();
    },
  };
}

const people = [{ username: "alice" }, { username: "carol", password: "carol's password" }];

faultTest("sign in", {
  options: { login: "picker", people },
  prepare: async (world) => signIn(await openSignInForm(world), { person: "alice" }),
  answered: "redirect",
  calls: 1,
});

faultTest("sign in with a password", {
  options: { login: "picker", people },
  prepare: async (world) =>
    signIn(await openSignInForm(world), { username: "carol", password: "carol's password" }),
  answered: "redirect",
  calls: 2,
});

faultTest("sign in with a wrong password", {
  options: { login: "picker", people },
  async prepare(world) {
    const form = await openSignInForm(world);
    return {
      ...signIn(form, { username: "carol", password: "carol's password" }),
      retry: (world) => form.send(world, { username: "carol", password: "carol's password" }),
      send: (world) => form.send(world, { username: "carol", password: "guess" }),
    };
  },
  answered: "redirect",
  calls: 2,
});

/** Uses the key list directly: the endpoint would also make an RSA key, which is slow, for each failing call. */
function createKeys(store: Store) {
  const options = { issuer: "https://as.test", alg: "EdDSA", store } as const;
  const { server, services } = assembleServer(options, { features: [], createPages: createLazyPages });
  return { server, keys: services.keys };
}

for (const [what, createError] of Object.entries(errors)) {
  for (const when of ["before", "after"] as const) {
    test(`signing keys: ${what} ${when} any store call does no harm once the store works again`, async () => {
      for (let call = 1, struck = true; struck; call++) {
        const memory = memoryStore();
        const failing = failingStore(memory, { call, when, error: createError() });
        const { server, keys } = createKeys(failing.store);
        // The load that the server begins at start may have failed already.
        await keys.publicKeys().catch(() => {});
        const other = createKeys(memory);
        assertEquals(await keys.publicKeys(), await other.keys.publicKeys());
        struck = failing.struck !== undefined;
        if (!struck) assert(call > 2);
        await Promise.all([server.close(), other.server.close()]);
        await memory.close();
      }
    });
  }
}
