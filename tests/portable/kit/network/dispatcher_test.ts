/** `as.dispatcher`: by the contracts for undici's handlers on each runtime, and with the `fetch` of Node. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { createMock, type DispatchOptions, type Mock } from "../../../../src/kit/mod.ts";
import type { DispatchHandler, OlderDispatchHandler } from "../../../../src/kit/mock/network/dispatch.ts";
import { runtime, test } from "../../../runner.ts";

/** What a handler has received. */
interface Received {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly text: string;
}

/** Dispatches as undici 7 and later do. `touch` is called with the handler's controller before the request. */
function send(
  as: Mock,
  options: Partial<DispatchOptions>,
  touch: Partial<DispatchHandler> = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    let [status, text] = [0, ""];
    let headers: Received["headers"] = {};
    const handler: DispatchHandler = {
      onRequestStart() {},
      onResponseStart: (_controller, received, lines) => [status, headers] = [received, lines],
      onResponseData: (_controller, chunk) => void (text += new TextDecoder().decode(chunk)),
      onResponseEnd: () => resolve({ status, headers, text }),
      onResponseError: (_controller, error) => reject(error),
      ...touch,
    };
    const sent = { origin: as.issuer, path: "/oauth2/jwks", method: "GET", ...options };
    as.dispatcher.dispatch(sent, handler);
  });
}

const withUndici = (name: string, body: () => Promise<void>) =>
  runtime === "chromium" ? test.skip(name, "a page has no undici") : test(name, body);

const saidName = "dispatcher: a page says that it has no undici, whatever the handler";
if (runtime !== "chromium") test.skip(saidName, "only a page has none");
else {
  test(saidName, async () => {
    await using as = await createMock();
    const options = { origin: as.issuer, path: "/oauth2/jwks", method: "GET" };
    const older = new Promise((_resolve, reject) => as.dispatcher.dispatch(options, { onError: reject }));
    for (const sent of [older, send(as, {})]) {
      await assertRejects(() => sent, TypeError, "give the client as.fetch, or use as.intercept()");
    }
  });
}

/** An API that says which body it got. */
async function openEcho(): Promise<{ as: Mock; authorization: string }> {
  const as = await createMock({ resources: ["https://api.test"] });
  as.resource("https://api.test", {}, async (request) => {
    const type = request.headers.get("content-type");
    const { search } = new URL(request.url);
    return Response.json({ type, trace: request.headers.get("x-trace"), body: await request.text(), search });
  });
  return { as, authorization: `Bearer ${await as.mint()}` };
}

withUndici("dispatcher: what fails in the mock is an error for a handler of each version", async () => {
  const { dispatch } = await import("../../../../src/kit/mock/network/dispatch.ts");
  const failure = new Error("the mock is closed");
  const errors: Error[] = [];
  const newer: DispatchHandler = {
    onRequestStart() {},
    onResponseError: (_controller, error) => void errors.push(error),
  };
  const older: OlderDispatchHandler = { onConnect() {}, onError: (error) => void errors.push(error) };
  for (const handler of [newer, older]) {
    const options = { origin: "https://as.test", path: "/", method: "GET" };
    await dispatch(options, handler, () => Promise.reject(failure));
  }
  assertEquals(errors, [failure, failure]);
});

withUndici("dispatcher: a handler of undici 7 gets the status, the headers and the body", async () => {
  await using as = await createMock();
  const { status, headers, text } = await send(as, {});
  assertEquals([status, headers["content-type"]], [200, "application/jwk-set+json"]);
  assertEquals(Object.keys(JSON.parse(text)), ["keys"]);
});

withUndici("dispatcher: a handler of undici 6 gets them, too, and takes more when it resumes", async () => {
  await using as = await createMock();
  const parts = await new Promise<readonly unknown[]>((resolve, reject) => {
    let [status, names, text, goOn, isPaused, early] = [0, [""], "", () => {}, false, 0];
    /** What comes before it goes on is early. */
    const pause = () => {
      isPaused = true;
      setTimeout(() => {
        isPaused = false;
        goOn();
      });
      return false;
    };
    const handler: OlderDispatchHandler = {
      onConnect() {},
      onHeaders(received, raw, resume) {
        [status, names, goOn] = [received, raw.map((each) => new TextDecoder().decode(each)), resume];
        return pause();
      },
      onData(chunk) {
        if (isPaused) early++;
        text += new TextDecoder().decode(chunk);
        return pause();
      },
      onComplete: () =>
        resolve([status, names.includes("application/jwk-set+json"), text.startsWith('{"keys"'), early]),
      onError: reject,
    };
    as.dispatcher.dispatch({ origin: as.issuer, path: "/oauth2/jwks", method: "GET" }, handler);
  });
  assertEquals(parts, [200, true, true, 0]);
});

withUndici("dispatcher: it takes headers and bodies in each form that undici takes", async () => {
  const { as, authorization } = await openEcho();
  const ask = async (body: unknown, headers: unknown, path = "/?a=1") => {
    const options = { origin: new URL("https://api.test"), path, method: "POST", body, headers };
    const { status, text } = await send(as, { ...options, query: { b: [1, 2] } });
    assertEquals(status, 200, text);
    const { search, ...echo } = JSON.parse(text);
    assertEquals(search, path.slice(1) + (path === "/" ? "?b=1&b=2" : "&b=1&b=2"));
    return echo as { readonly type: string | null; readonly trace: string; readonly body: string };
  };
  const headers = { authorization, "x-trace": ["1", "2"] };
  const bytes = new TextEncoder().encode("é");
  async function* chunks() {
    yield "a";
    yield bytes;
  }
  assertEquals((await ask("é", headers)).body, "é");
  assertEquals((await ask("é", headers, "/")).body, "é");
  assertEquals((await ask(bytes, Object.entries(headers).flat())).body, "é");
  assertEquals((await ask(new Blob([bytes]), new Headers({ authorization }))).body, "é");
  assertEquals((await ask(chunks(), headers)).body, "aé");
  assertEquals(await ask(new URLSearchParams({ a: "1" }), headers), {
    type: "application/x-www-form-urlencoded;charset=UTF-8",
    trace: "1, 2",
    body: "a=1",
  });
  const form = new FormData();
  form.append("field", "é");
  const { type, body } = await ask(form, headers);
  assert(type?.startsWith("multipart/form-data; boundary=") && body.includes('name="field"'), body);
  await as.close();
});

withUndici(
  "dispatcher: requests to other origins fail, and a path does not choose another host",
  async () => {
    await using as = await createMock();
    const error = await assertRejects(() =>
      send(as, { origin: "https://other.test", path: "/secret?code=1" })
    );
    assertEquals(
      (error as Error).message,
      "This dispatcher answers for https://as.test only, not for https://other.test/secret: " +
        "give the client another dispatcher for other servers, or use intercept(), which lets their requests pass",
    );
    assertEquals((await send(as, { path: "//other.test/oauth2/jwks" })).status, 404);
  },
);

withUndici("dispatcher: it answers at the hosts of a provider, only while the look-alike is on", async () => {
  await using as = await createMock();
  const asked = { origin: "https://www.googleapis.com", path: "/oauth2/v3/certs" };
  {
    using _like = as.lookLike("google");
    const { status, text } = await send(as, asked);
    assertEquals([status, Object.keys(JSON.parse(text))], [200, ["keys"]]);
    assertEquals((await send(as, { ...asked, path: "/calendar" })).status, 501);
    assertEquals(as.requests.map(({ api }) => api), [
      "https://www.googleapis.com/oauth2/v3/certs",
      "https://www.googleapis.com/calendar",
    ]);
  }
  await assertRejects(() => send(as, asked), TypeError, "This dispatcher answers for https://as.test only");
});

withUndici(
  "dispatcher: an aborted request fails with the reason, before and while the server works",
  async () => {
    await using as = await createMock();
    const early = await send(as, {}, { onRequestStart: (controller) => controller.abort(new Error("early")) })
      .catch((error) => error);
    assertEquals(early.message, "early");
    const gate = as.hold("jwks");
    let abort = (_reason: Error) => {};
    const late = send(as, {}, {
      onRequestStart: (controller) => abort = (reason) => controller.abort(reason),
    })
      .catch((error) => error);
    await gate.arrived();
    abort(new Error("late"));
    assertEquals((await late).message, "late");
  },
);

withUndici(
  "dispatcher: a dropped answer is a broken connection, and a HEAD request has no body",
  async () => {
    await using as = await createMock();
    using _lost = as.drop("jwks", { count: 1 });
    const error = await send(as, {}).catch((error) => error);
    assertEquals([error.name, error.code, error.message], [
      "SocketError",
      "UND_ERR_SOCKET",
      "other side closed",
    ]);
    const { status, text } = await send(as, { method: "HEAD" });
    assertEquals([status, text], [200, ""]);
  },
);

const withFetch = (name: string, body: () => Promise<void>) =>
  runtime === "node" ? test(name, body) : test.skip(name, "only Node's fetch has dispatchers");

// A variable, because the types of other runtimes have no dispatcher.
const through = (as: Mock, init: RequestInit = {}) => ({ ...init, dispatcher: as.dispatcher } as RequestInit);

withFetch("dispatcher: Node's fetch reaches the mock, and follows its redirects", async () => {
  await using as = await createMock();
  as.nextSignIn("bob");
  const query = { response_type: "code", client_id: "app", redirect_uri: "https://as.test/callback" };
  const pkce = {
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  };
  as.clients.change("app", { redirect_uris: [query.redirect_uri] });
  const url = `${as.issuer}/oauth2/authorize?${new URLSearchParams({ ...query, ...pkce })}`;
  const manual = await fetch(url, through(as, { redirect: "manual" }));
  assertEquals(manual.status, 303);
  as.nextSignIn("bob");
  const followed = await fetch(url, through(as));
  assertEquals([followed.status, new URL(followed.url).pathname, followed.redirected], [
    404,
    "/callback",
    true,
  ]);
  const other = await fetch("https://other.test/", through(as)).catch((error) => error);
  assertEquals(other.message, "fetch failed");
  assertEquals(other.cause.message.split(":")[0], "This dispatcher answers for https");
});

withFetch("dispatcher: Node's fetch reaches the hosts of a provider", async () => {
  await using as = await createMock({ lookLike: "github" });
  const answer = await fetch("https://api.github.com/user", through(as));
  assertEquals([answer.status, answer.url], [401, "https://api.github.com/user"]);
  await answer.body?.cancel();
});

withFetch("dispatcher: Node's fetch decodes an answer once, and an abort ends its body", async () => {
  await using as = await createMock({ resources: ["https://api.test"] });
  let isCancelled = false;
  as.resource("https://api.test", {}, (request) => {
    if (request.url.endsWith("/zip")) {
      const zipped = new Blob(["zipped"]).stream().pipeThrough(new CompressionStream("gzip"));
      return new Response(zipped, { headers: { "content-encoding": "gzip" } });
    }
    const start = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(3));
    return new Response(new ReadableStream({ start, cancel: () => void (isCancelled = true) }));
  });
  const headers = { authorization: `Bearer ${await as.mint()}` };
  const zipped = await fetch("https://api.test/zip", through(as, { headers }));
  assertEquals(await zipped.text(), "zipped");
  const abortion = new AbortController();
  const slow = await fetch("https://api.test/slow", through(as, { headers, signal: abortion.signal }));
  const reader = slow.body!.getReader();
  assertEquals((await reader.read()).value?.length, 3);
  abortion.abort(new Error("enough"));
  assertEquals((await reader.read().catch((error) => error)).message, "enough");
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(isCancelled, true);
});
