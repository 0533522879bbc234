/** Back-channel logout: which clients get a logout token, and that no client can delay a sign-out. */

import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { createServer } from "../../../src/mod.ts";
import { keysFor } from "../../keys.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";
import { byId, findAll, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { createBrowser } from "../../world.ts";
import {
  allDead,
  ask,
  claimsOf,
  clientOf,
  inOpenId,
  issuer,
  livesOf,
  screenOf,
  signIn,
  signInBoth,
  verify,
} from "./openid_world.ts";

interface Call {
  readonly url: string;
  readonly init: RequestInit;
  readonly form: URLSearchParams;
}

/** A `fetch` that answers for every client and records the requests. */
function listener(answer: (call: Call) => Promise<Response> | Response = () => new Response()) {
  const calls: Call[] = [];
  const fetch = async (input: URL | Request | string, init: RequestInit = {}): Promise<Response> => {
    const call = { url: String(input), init, form: new URLSearchParams(String(init.body)) };
    calls.push(call);
    return await answer(call);
  };
  return { calls, fetch: fetch as typeof globalThis.fetch };
}

/** A client with a back-channel logout URI. */
function listeningClient(id: string, more: Parameters<typeof clientOf>[1] = {}) {
  return clientOf(id, { backchannel_logout_uri: `https://${id}.example/logout?by=as`, ...more });
}

const clients = [listeningClient("app"), listeningClient("shop"), clientOf("quiet")];
const event = "http://schemas.openid.net/event/backchannel-logout";

test("back-channel: each client of the sign-in with a logout URI gets one POST (OpenID Connect Back-Channel Logout §2.2)", async () => {
  const { calls, fetch } = listener();
  await inOpenId({ clients, fetch }, async (world, browser) => {
    const { id_token } = await signIn(world, browser, "alice");
    await signIn(world, browser, "alice");
    // A sign-in that is renewed for another client is still that of the first one.
    await signIn(world, browser, "alice", { client_id: "shop", prompt: "login" });
    await signIn(world, browser, "alice", { client_id: "quiet" });
    await signIn(world, createBrowser(world), "alice", { client_id: "shop" });
    await browser.open(`/connect/logout?id_token_hint=${id_token}`);
    assertEquals(calls.map(({ url }) => url).sort(), [
      "https://app.example/logout?by=as",
      "https://shop.example/logout?by=as",
    ]);
    for (const { init, form } of calls) {
      assertEquals(init.method, "POST");
      const { headers } = new Request("https://client.example/", init);
      assertMatch(headers.get("content-type") ?? "", /^application\/x-www-form-urlencoded/);
      assertEquals([...form.keys()], ["logout_token"]);
    }
  });
});

test("back-channel: the logout token has all required claims and no forbidden one (OpenID Connect Back-Channel Logout §2.4, §2.1)", async () => {
  const { calls, fetch } = listener();
  await inOpenId({ clients, fetch }, async (world, browser) => {
    const tokens = await signIn(world, browser, "alice");
    const { sid, sub = "" } = await claimsOf(world, tokens);
    world.clock.advance(60);
    await browser.open(`/connect/logout?id_token_hint=${tokens.id_token}`);
    const { payload, protectedHeader } = await verify(world, calls[0]!.form.get("logout_token")!);
    assertEquals([protectedHeader.typ, protectedHeader.alg], ["logout+jwt", "ES256"]);
    const { jti, exp, ...claims } = payload;
    assertEquals(claims, {
      iss: issuer,
      sub,
      sid,
      aud: "app",
      iat: world.clock.now,
      events: { [event]: {} },
    });
    assertMatch(String(jti), /^[\w-]{22}$/);
    assert(exp! > world.clock.now && exp! <= world.clock.now + 120);
    assertFalse("nonce" in payload);
  });
});

test("back-channel: each token has its own audience and jti, and the client's algorithm (OpenID Connect Back-Channel Logout §2.4)", async () => {
  const { calls, fetch } = listener();
  const clients = [
    listeningClient("app"),
    listeningClient("shop", { id_token_signed_response_alg: "EdDSA" }),
  ];
  await inOpenId({ clients, fetch, signingKeys: keysFor(["ES256", "EdDSA"]) }, async (world, browser) => {
    const { id_token } = await signIn(world, browser, "alice");
    await signIn(world, browser, "alice", { client_id: "shop" });
    await browser.open(`/connect/logout?id_token_hint=${id_token}`);
    const jtis = new Set<unknown>();
    for (const [id, alg] of [["app", "ES256"], ["shop", "EdDSA"]] as const) {
      const call = calls.find(({ url }) => url.includes(id))!;
      const { payload, protectedHeader } = await verify(world, call.form.get("logout_token")!, id);
      assertEquals(protectedHeader.alg, alg);
      jtis.add(payload.jti);
    }
    assertEquals(jtis.size, 2);
  });
});

test("back-channel: a pairwise client gets its own subject for the person (OpenID Connect Back-Channel Logout §2.4)", async () => {
  const { calls, fetch } = listener();
  const options = { clients: [listeningClient("app", { subject_type: "pairwise" })], fetch };
  await inOpenId(options, async (world, browser) => {
    const tokens = await signIn(world, browser, "alice");
    await browser.open(`/connect/logout?id_token_hint=${tokens.id_token}`);
    const { payload } = await verify(world, calls[0]!.form.get("logout_token")!);
    assertEquals(payload.sub, (await claimsOf(world, tokens)).sub);
    assert(payload.sub !== "subject-of-a");
  });
});

test("back-channel: when one of several people signs out, only the clients of that person get a token (OpenID Connect Back-Channel Logout §2.2)", async () => {
  const { calls, fetch } = listener();
  await inOpenId({ clients, fetch }, async (world, browser) => {
    const { alice } = await signInBoth(world, browser);
    await signIn(world, browser, "bob", { client_id: "shop" });
    await browser.open(`/connect/logout?id_token_hint=${alice.id_token}`);
    assertEquals(calls.length, 1);
    const { payload } = await verify(world, calls[0]!.form.get("logout_token")!);
    assertEquals([payload.sub, payload["sid"]], ["subject-of-a", (await claimsOf(world, alice))["sid"]]);
  });
});

test("back-channel: signing out all people sends a client a token for each of them (OpenID Connect Back-Channel Logout §2.2)", async () => {
  const { calls, fetch } = listener();
  await inOpenId({ clients, fetch }, async (world, browser) => {
    await signInBoth(world, browser);
    await browser.submit(await browser.open("/connect/logout"), { decision: "sign_out" });
    const subs = await Promise.all(
      calls.map(async ({ form }) => (await verify(world, form.get("logout_token")!)).payload.sub),
    );
    assertEquals(subs.sort(), ["subject-of-a", "subject-of-b"]);
  });
});

test("back-channel: no client gets a second token, and staying signed in sends none (OpenID Connect Back-Channel Logout §2.5)", async () => {
  const { calls, fetch } = listener();
  await inOpenId({ clients, fetch }, async (world, browser) => {
    const { id_token } = await signIn(world, browser, "alice");
    await browser.submit(await browser.open("/connect/logout"), { decision: "stay" });
    assertEquals(calls.length, 0);
    for (let time = 0; time < 3; time++) await browser.open(`/connect/logout?id_token_hint=${id_token}`);
    assertEquals(calls.length, 1);
    await signIn(world, browser, "alice", { client_id: "quiet" });
    await browser.submit(await browser.open("/connect/logout"), { decision: "sign_out" });
    assertEquals(calls.length, 1, "the clients of the earlier sign-in get no second token");
  });
});

test("back-channel: clients get their token after the session ends and before the browser is redirected (OpenID Connect RP-Initiated Logout §3)", async () => {
  let check: () => Promise<void> = () => Promise.resolve();
  const { calls, fetch } = listener(async () => {
    await check();
    return new Response();
  });
  await inOpenId({ clients, fetch }, async (world, browser) => {
    const tokens = await signIn(world, browser, "alice");
    let seen: unknown;
    check = async () => void (seen = await livesOf(world, tokens));
    await browser.open(`/connect/logout?id_token_hint=${tokens.id_token}`);
    assertEquals([calls.length, seen], [1, allDead]);
  });
});

const failures: Readonly<Record<string, () => Response | Promise<Response>>> = {
  "answers 500": () => new Response("no", { status: 500 }),
  "is unreachable": () => Promise.reject(new TypeError("connection refused")),
  "breaks its answer off": () =>
    new Response(
      new ReadableStream({
        cancel() {
          throw new TypeError("broken");
        },
      }),
    ),
};

for (const [name, answer] of Object.entries(failures)) {
  test(`back-channel: a client that ${name} does not stop the sign-out, and gets no second request (OpenID Connect Back-Channel Logout §2.5)`, async () => {
    const { calls, fetch } = listener(({ url }) => url.includes("app") ? answer() : new Response());
    await inOpenId({ clients, fetch }, async (world, browser) => {
      const tokens = await signIn(world, browser, "alice");
      await signIn(world, browser, "alice", { client_id: "shop" });
      const page = await browser.open(
        `/connect/logout?id_token_hint=${tokens.id_token}&post_logout_redirect_uri=https://app.example/bye`,
      );
      assertEquals(page.leftFor, "https://app.example/bye");
      assertEquals(calls.length, 2);
      assertEquals(screenOf(await ask(world, browser)), "sign_in");
    });
  });
}

test("back-channel: the server waits ten seconds at most for a client that never answers (OpenID Connect Back-Channel Logout §2.5)", async () => {
  const waits: number[] = [];
  const original = AbortSignal.timeout;
  const { fetch } = listener(({ init }) => {
    if (!init.signal?.aborted) throw new Error("the request has no time limit");
    return Promise.reject(init.signal.reason);
  });
  await inOpenId({ clients, fetch }, async (world, browser) => {
    const { id_token } = await signIn(world, browser, "alice");
    try {
      // The limit has passed already, so that the test does not wait.
      AbortSignal.timeout = (ms) => {
        waits.push(ms);
        return AbortSignal.abort(new DOMException("timed out", "TimeoutError"));
      };
      assertEquals((await browser.open(`/connect/logout?id_token_hint=${id_token}`)).status, 200);
    } finally {
      AbortSignal.timeout = original;
    }
    assert(waits.length === 1 && waits[0]! > 0 && waits[0]! <= 10_000, String(waits));
    assertEquals(screenOf(await ask(world, browser)), "sign_in");
  });
});

test("back-channel: a redirect is not followed (OpenID Connect Back-Channel Logout §2.2)", async () => {
  const { calls, fetch } = listener(() =>
    new Response(null, { status: 302, headers: { location: "/login" } })
  );
  await inOpenId({ clients, fetch }, async (world, browser) => {
    const { id_token } = await signIn(world, browser, "alice");
    const { html } = await browser.open(`/connect/logout?id_token_hint=${id_token}`);
    assert(["error", "manual"].includes(calls[0]!.init.redirect ?? "follow"));
    // It is no answer either (§2.8).
    assertEquals(world.journal.at(-1)!.facts.more?.["back_channel_logout"], { app: "did not answer" });
    assertMatch(html, /did not answer/);
  });
});

test("back-channel: the page after a sign-out and the journal say which clients were told and what they answered", async () => {
  const { calls, fetch } = listener(({ url }) =>
    new Response(null, { status: url.includes("app") ? 500 : 200 })
  );
  const silent = clientOf("silent");
  await inOpenId({ clients: [...clients, silent], fetch }, async (world, browser) => {
    const { id_token } = await signIn(world, browser, "alice");
    await signIn(world, browser, "alice", { client_id: "shop" });
    await signIn(world, browser, "alice", { client_id: "silent" });
    const { html } = await browser.open(`/connect/logout?id_token_hint=${id_token}`);
    assertEquals(findAll(byId(readHtml(html), "told"), "li").map(textOf), [
      "app was told, but answered with status 500. You may still be signed in there.",
      "shop knows that you have signed out.",
      "silent was not told, because it has no backchannel_logout_uri. You may still be signed in there.",
    ]);
    const { facts } = world.journal.at(-1)!;
    assertEquals(facts.more?.["back_channel_logout"], { app: "answered 500", shop: "told" });
    for (const { form } of calls) assertFalse(JSON.stringify(facts).includes(form.get("logout_token")!));
  });
});

test("back-channel: a client knows of the sign-out if it answers with a status of success (OpenID Connect Back-Channel Logout §2.8)", async () => {
  for (
    const [status, isTold] of [[199, false], [200, true], [204, true], [299, true], [400, false]] as const
  ) {
    const answer = () => Object.defineProperty(new Response(null), "status", { value: status });
    await inOpenId({ clients, fetch: listener(answer).fetch }, async (world, browser) => {
      const { id_token } = await signIn(world, browser, "alice");
      await browser.open(`/connect/logout?id_token_hint=${id_token}`);
      const outcome = isTold ? "told" : `answered ${status}`;
      assertEquals(world.journal.at(-1)!.facts.more?.["back_channel_logout"], { app: outcome });
    });
  }
});

test("back-channel: a client whose host has no address is not told, and the page and the journal say so", async () => {
  // A label has at most 63 octets (RFC 1035 §2.3.4), so no resolver is asked.
  const host = `${"a".repeat(64)}.invalid`;
  const clients = [listeningClient("app", { backchannel_logout_uri: `https://${host}/logout` })];
  await inOpenId({ clients }, async (world, browser) => {
    const { id_token } = await signIn(world, browser, "alice");
    const { html } = await browser.open(`/connect/logout?id_token_hint=${id_token}`);
    assertMatch(textOf(byId(readHtml(html), "told")), /app was not told, because this server may not call/);
    assertEquals(world.journal.at(-1)!.facts.more?.["back_channel_logout"], { app: "not allowed" });
  });
});

test("back-channel: a logout token works neither as a hint nor as an access token (OpenID Connect Back-Channel Logout §2.4)", async () => {
  const { calls, fetch } = listener();
  await inOpenId({ clients, fetch }, async (world, browser) => {
    const tokens = await signIn(world, browser, "alice");
    await browser.open(`/connect/logout?id_token_hint=${tokens.id_token}`);
    const token = calls[0]!.form.get("logout_token")!;
    assertEquals(screenOf(await ask(world, browser, { id_token_hint: token })), "refused");
    assertEquals((await world.get("/userinfo", { authorization: `Bearer ${token}` })).status, 401);
  });
});

for (const uri of ["https://app.example/told#x", "http://app.example/told", "com.example.app:/told"]) {
  test(`back-channel: ${uri} cannot be registered (OpenID Connect Back-Channel Logout §2.2)`, () =>
    assertCannotCreate(
      () => createServer({ clients: [clientOf("app", { backchannel_logout_uri: uri })] }),
      "clients[0].backchannel_logout_uri must",
    ));
}
