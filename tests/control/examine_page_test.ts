/** The page on which a person examines an application: its guard, its forms, and the card that it keeps. */

import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { type Control, createControl } from "../../src/control/control.ts";
import { fromRequest, toResponse } from "../../src/http/message.ts";
import { catalogue } from "../../src/misbehaviours/catalogue.ts";
import { levels } from "../../src/misbehaviours/misbehaviour.ts";
import { createStartedMock } from "../../src/mock/mock.ts";
import { type MisbehaviourName, type Mock, readCard } from "../../src/mock/mod.ts";
import { attribute, byId, type Element, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../runner.ts";
import { challenge, verifier } from "../world.ts";
import { origin } from "./with_control.ts";

const wrongIss = "authorization_response.iss_wrong";
const redirectUri = "https://app.test/callback";
const form = "application/x-www-form-urlencoded";

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly peer?: string;
  readonly at?: string;
}

/** A person at the page, and the application of that person. */
interface Person {
  readonly as: Mock;
  readonly control: Control;
  ask(sent?: Sent): Promise<Response>;
  /** Opens the page. */
  open(): Promise<Element>;
  /** Sends a form of the page as a browser does, and returns the page afterwards. */
  send(fields: Readonly<Record<string, string>>): Promise<Element>;
  /** Logs in to the application. */
  logIn(habits?: { readonly checksIssuer?: boolean }): Promise<void>;
}

async function withPerson(work: (person: Person) => Promise<void>, token?: string): Promise<void> {
  const started = await createStartedMock({ alg: "ES256" });
  await using as = started.mock;
  const control = createControl(started, token === undefined ? {} : { token });

  async function ask(
    { method = "GET", path = "", headers = {}, body, peer = "127.0.0.1", at = origin }: Sent = {},
  ) {
    const request = new Request(`${at}/_postern/examine${path}`, {
      method,
      headers: { accept: "text/html", ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return toResponse(await control.answer(fromRequest(request, peer))!);
  }

  async function open(): Promise<Element> {
    const response = await ask();
    assertEquals(response.status, 200);
    return readHtml(await response.text());
  }

  await work({
    as,
    control,
    ask,
    open,
    async send(fields) {
      const body = new URLSearchParams({ ...fieldsOf(await open()), ...fields }).toString();
      const headers = { "content-type": form, origin, "sec-fetch-site": "same-origin" };
      const response = await ask({ method: "POST", body, headers });
      assertEquals([response.status, response.headers.get("location")], [303, "/_postern/examine"]);
      return await open();
    },
    logIn: (habits) => logIn(as, habits),
  });
}

/** The hidden fields of the forms of the page. */
function fieldsOf(page: Element): Record<string, string> {
  const hidden = findAll(page, "input").filter(({ attributes }) => attributes.get("type") === "hidden");
  return Object.fromEntries(
    hidden.map(({ attributes }) => [attributes.get("name")!, attributes.get("value")!]),
  );
}

async function authorize(as: Mock): Promise<URLSearchParams> {
  const url = new URL(`${as.issuer}/oauth2/authorize`);
  url.search = new URLSearchParams({
    ...{ client_id: "app", redirect_uri: redirectUri, response_type: "code" },
    ...{ code_challenge: challenge, code_challenge_method: "S256" },
  }).toString();
  return (await as.authorize(url)).searchParams;
}

async function logIn(as: Mock, { checksIssuer = false } = {}): Promise<void> {
  const params = await authorize(as);
  if (checksIssuer && params.get("iss") !== as.issuer) return;
  const body = new URLSearchParams({
    ...{ grant_type: "authorization_code", code: params.get("code")!, redirect_uri: redirectUri },
    ...{ client_id: "app", code_verifier: verifier },
  });
  assertEquals((await as.fetch(`${as.issuer}/oauth2/token`, { method: "POST", body })).status, 200);
}

/** Does the login without a fault, and has the misbehaviour offered. */
async function reachOffer({ send, logIn }: Person, name = wrongIss): Promise<Element> {
  await send({ deed: "choose", level: "must", area: "authorization_response" });
  await logIn();
  await send({ deed: "success" });
  return await send({ repeat: name });
}

const isWrong = async (as: Mock) => (await authorize(as)).get("iss") !== as.issuer;

test("examine page: pages of other sites, other machines and other names are refused, and nothing is on", async () => {
  await withPerson(async (person) => {
    await reachOffer(person);
    const fields = new URLSearchParams({ ...fieldsOf(await person.open()), deed: "switch_on" }).toString();
    const attempts: readonly (readonly [sent: Sent, status: number])[] = [
      [{ headers: { origin: "https://evil.test" } }, 403],
      [{ headers: { origin: "null" } }, 403],
      [{ headers: { origin: "http://localhost:3000", "sec-fetch-site": "same-site" } }, 403],
      [{ headers: { "sec-fetch-site": "cross-site" } }, 403],
      [{ peer: "192.168.1.7" }, 403],
      [{ headers: { "x-forwarded-for": "1.2.3.4" } }, 403],
      [{ at: "http://evil.test" }, 421],
    ];
    for (const [sent, status] of attempts) {
      for (const path of ["", "/card.json"]) {
        const response = await person.ask({ ...sent, path });
        assertEquals([response.status, response.headers.get("access-control-allow-origin")], [status, null]);
      }
      const headers = { "content-type": form, ...sent.headers };
      const posted = await person.ask({ ...sent, headers, method: "POST", body: fields });
      assertEquals(posted.status, status, JSON.stringify(sent));
    }
    assertEquals(await isWrong(person.as), false);
  });
});

test("examine page: only a form of this page changes something, and a GET never does", async () => {
  await withPerson(async (person) => {
    await reachOffer(person);
    const fields: Record<string, string> = { ...fieldsOf(await person.open()), deed: "switch_on" };
    const post = async (body: Readonly<Record<string, string>>, type = form) => {
      const text = type === form ? new URLSearchParams(body).toString() : JSON.stringify(body);
      return (await person.ask({ method: "POST", body: text, headers: { "content-type": type } })).status;
    };
    await person.ask({ path: `?${new URLSearchParams(fields)}` });
    const { key: _key, ...withoutKey } = fields;
    assertEquals(await post(withoutKey), 403);
    assertEquals(await post({ ...fields, key: "guess" }), 403);
    assertEquals(await post({ ...fields, deed: "explode" }), 400);
    assertEquals(await post({ ...fields, more: "x".repeat(20_000) }), 413);
    for (const type of ["application/json", "text/plain"]) assertEquals(await post(fields, type), 415);
    for (const method of ["PUT", "DELETE", "PATCH"]) {
      const response = await person.ask({ method });
      assertEquals([response.status, response.headers.get("allow")], [405, "GET, HEAD, POST"]);
    }
    assertEquals((await person.ask({ method: "POST", path: "/card.json" })).status, 405);
    assertEquals(await isWrong(person.as), false);
    assertEquals(await post(fields), 303);
    assertEquals(await isWrong(person.as), true);
  });
});

test("examine page: the key of one server is not that of another", async () => {
  await withPerson(async (first) => {
    const { key } = fieldsOf(await first.open());
    await withPerson(async (second) => assert(fieldsOf(await second.open()).key !== key));
  });
});

test("examine page: a form of an older page does nothing, so a double click counts once", async () => {
  await withPerson(async (person) => {
    await reachOffer(person);
    const old = { ...fieldsOf(await person.open()), deed: "skip" };
    const body = new URLSearchParams(old).toString();
    const headers = { "content-type": form };
    const answers = await Promise.all([1, 2].map(() => person.ask({ method: "POST", body, headers })));
    assertEquals(answers.map(({ status }) => status), [303, 303]);
    assertEquals(textOf(findAll(byId(await person.open(), "skipped"), "summary")[0]!), "1 skipped");
  });
});

test("examine page: its policy lets forms and requests go to its own origin only, and it cannot be framed", async () => {
  await withPerson(async ({ ask }) => {
    const { headers } = await ask();
    const policy = headers.get("content-security-policy")!;
    for (
      const rule of [
        "default-src 'none'",
        "form-action 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]
    ) {
      assertStringIncludes(policy, rule);
    }
    assertEquals(headers.get("referrer-policy"), "same-origin");
    assertEquals(headers.get("cache-control"), "no-store");
    const head = await ask({ method: "HEAD" });
    assertEquals([head.status, await head.text()], [200, ""]);
  });
});

test("examine page: a program that asks for JSON gets refusals as JSON", async () => {
  await withPerson(async ({ ask }) => {
    const response = await ask({ headers: { accept: "*/*", origin: "https://evil.test" } });
    assertEquals([response.status, (await response.json()).error], [403, "access_denied"]);
  });
});

const token = "correct-horse-battery";

test("examine page: with a token, it is closed to a request without the token", async () => {
  await withPerson(async ({ ask, as }) => {
    for (const path of ["", "/card.json"]) {
      assertEquals((await ask({ path })).status, 401, path);
      assertEquals((await ask({ path, headers: { cookie: "postern_examine=guess" } })).status, 401, path);
    }
    for (const body of ["deed=restart", "token=", "token=wrong"]) {
      const response = await ask({ method: "POST", headers: { "content-type": form }, body });
      assertEquals([response.status, response.headers.getSetCookie()], [401, []], body);
      assertEquals(response.headers.get("www-authenticate"), 'Bearer realm="postern control"');
    }
    assertEquals((await ask({ headers: { authorization: `Bearer ${token}` } })).status, 200);
    assertEquals(await isWrong(as), false);
  }, token);
});

test("examine page: a person who types the token gets a cookie that is good for this page only", async () => {
  await withPerson(async ({ ask, control }) => {
    const asked = await (await ask()).text();
    assertEquals(attribute(byId(readHtml(asked), "token"), "type"), "password");
    const sent = { method: "POST", headers: { "content-type": form }, body: `token=${token}` } as const;
    const foreign = { ...sent.headers, origin: "https://evil.test" };
    assertEquals((await ask({ ...sent, headers: foreign })).status, 403);
    assertEquals((await ask({ ...sent, at: "http://evil.test" })).status, 421);
    const response = await ask(sent);
    assertEquals([response.status, response.headers.get("location")], [303, "/_postern/examine"]);
    const [header = ""] = response.headers.getSetCookie();
    assertMatch(header, /; Path=\/_postern\/examine; HttpOnly; SameSite=Strict; Secure$/);
    assertFalse(header.includes(token) || asked.includes(token));
    const cookie = header.split(";")[0]!;
    for (const path of ["", "/card.json"]) {
      assertEquals((await ask({ path, headers: { cookie } })).status, 200, path);
      const headers = { cookie, "sec-fetch-site": "same-site" };
      assertEquals((await ask({ path, headers })).status, 403, path);
    }
    // A page that has the cookie still needs the secret of the forms.
    const headers = { cookie, "content-type": form };
    assertEquals((await ask({ method: "POST", headers, body: "deed=restart" })).status, 403);
    const other = fromRequest(new Request(`${origin}/_postern/clock`, { headers: { cookie } }), "127.0.0.1");
    assertEquals((await control.answer(other)!).status, 401);
  }, token);
});

test("examine page: the login without a fault must succeed, for the person and for the server", async () => {
  await withPerson(async ({ send, logIn, as }) => {
    await send({ deed: "choose", level: "must", area: "authorization_response" });
    assertMatch(
      textOf(byId(await send({ deed: "success" }), "problem")),
      /no authorization code was exchanged/,
    );
    await logIn();
    assertMatch(textOf(byId(await send({ deed: "error" }), "problem")), /although the server is right/);
    // The login before the last answer does not count for the next one.
    assertMatch(
      textOf(byId(await send({ deed: "success" }), "problem")),
      /no authorization code was exchanged/,
    );
    assertMatch(textOf(byId(await send({ deed: "nothing" }), "problem")), /hangs/);
    const other = as.misbehave(wrongIss);
    await logIn();
    assertMatch(textOf(byId(await send({ deed: "success" }), "problem")), /wrong on purpose/);
    other[Symbol.dispose]();
    await logIn();
    const page = await send({ deed: "success" });
    assertEquals(findById(page, "problem"), undefined);
    assertMatch(textOf(byId(page, "stage")), /^Next: authorization_response\./);
  });
});

test("examine page: it offers what is wanted, must first, and only what the login uses", async () => {
  await withPerson(async ({ send, logIn, ask }) => {
    const choose = async (...names: readonly string[]) => {
      const page = readHtml(await (await ask()).text());
      const fields = new URLSearchParams({ ...fieldsOf(page), deed: "choose" });
      for (const name of names) {
        fields.append(name.includes("_") || name === "metadata" ? "area" : "level", name);
      }
      await ask({ method: "POST", body: fields.toString(), headers: { "content-type": form } });
    };
    await choose("tolerate", "must", "id_token", "metadata", "authorization_response");
    await logIn();
    const offered: string[] = [];
    let page = await send({ deed: "success" });
    assertEquals(textOf(byId(page, "unused")).includes("id_token"), true);
    while (findById(page, "skip") !== undefined) {
      const name = textOf(byId(page, "stage")).replace("Next: ", "") as MisbehaviourName;
      const isReadAtStart = name.startsWith("metadata.");
      offered.push(`${levels.indexOf(catalogue.get(name)!.level)} ${isReadAtStart ? "last" : "first"}`);
      page = await send({ deed: "skip" });
    }
    // The metadata comes last at each level, because the application may have to start again.
    assertEquals(offered, offered.toSorted());
    assertEquals([...new Set(offered)].length, 4);
    assertEquals(textOf(byId(page, "stage")), "Nothing is left");
  });
});

test("examine page: requests prove that the application was fooled, and the card has it in every form", async () => {
  await withPerson(async (person) => {
    const { send, open, logIn, ask, as } = person;
    await reachOffer(person);
    let page = await send({ deed: "switch_on" });
    assertMatch(textOf(byId(page, "wrong-answers")), /no wrong answer yet/);
    assertEquals(textOf(byId(page, "proof")), "");
    await logIn();
    page = await open();
    assertMatch(textOf(byId(page, "wrong-answers")), /1 wrong answer/);
    assertMatch(textOf(byId(page, "requests")), /POST \/oauth2\/token .* → 200/);
    assertMatch(textOf(byId(page, "proof")), /^Fooled\. Afterwards the client sent POST token/);
    assertEquals(findById(page, "success"), undefined);
    page = await send({ deed: "proven" });
    assertEquals(textOf(byId(page, "outcome")), "Fooled.");
    assertMatch(textOf(byId(page, "evidence")), /changed by "authorization_response\.iss_wrong"/);
    assertMatch(textOf(byId(page, "summary")), /^1 of 1 failed\./);
    assertEquals(await isWrong(as), false);
    const types = [
      "text/html; charset=utf-8",
      "text/markdown; charset=utf-8",
      "application/xml",
      "application/json",
    ];
    const names = ["card.html", "card.md", "card.xml", "card.json"];
    const links = findAll(byId(page, "downloads"), "a").map(({ attributes }) => attributes.get("href"));
    assertEquals(links, names.map((name) => `/_postern/examine/${name}`));
    for (const [at, name] of names.entries()) {
      const response = await ask({ path: `/${name}` });
      assertEquals(response.headers.get("content-type"), types[at]!);
      assertEquals(response.headers.get("content-disposition"), `attachment; filename="${name}"`);
      const text = await response.text();
      assertStringIncludes(text, "authorization_response.iss_wrong");
      if (name !== "card.json") continue;
      const { phases, rows } = readCard(text);
      assertEquals([phases, rows.map(({ name, outcome }) => [name, outcome])], [["login"], [[
        wrongIss,
        "fooled",
      ]]]);
    }
  });
});

test("examine page: what the application showed decides where no request does", async () => {
  const expected = {
    error: ["Noticed.", "The client refused: Application: it showed an error to the person"],
    success: ["Unknown.", "The client succeeded, and sent nothing that shows what it did."],
    nothing: ["Hung.", "The client did not end within the limit."],
  } as const;
  await withPerson(async (person) => {
    const { send, logIn } = person;
    await reachOffer(person);
    for (const [deed, [outcome, because]] of Object.entries(expected)) {
      await send({ repeat: wrongIss });
      await send({ deed: "switch_on" });
      await logIn({ checksIssuer: true });
      const page = await send({ deed });
      assertEquals([textOf(byId(page, "outcome")), textOf(byId(page, "because"))], [outcome, because]);
    }
  });
});

test("examine page: an application that never comes there is not blamed, and may repeat", async () => {
  await withPerson(async (person) => {
    const { send, logIn } = person;
    await reachOffer(person);
    await send({ deed: "switch_on" });
    let page = await send({ deed: "error" });
    assertEquals(textOf(byId(page, "outcome")), "Not reached.");
    assertMatch(textOf(byId(page, "advice")), /repeat/);
    await send({ repeat: wrongIss });
    await send({ deed: "switch_on" });
    await logIn({ checksIssuer: true });
    page = await send({ deed: "error" });
    assertEquals(textOf(byId(page, "outcome")), "Noticed.");
    assertMatch(textOf(byId(page, "summary")), /^Nothing failed\. 1 passed\./);
  });
});

test("examine page: stop, start over and a reset of the server switch the misbehaviour off", async () => {
  await withPerson(async (person) => {
    const { send, open, as } = person;
    await reachOffer(person);
    const turnOff: readonly (() => Promise<unknown> | unknown)[] = [
      () => send({ deed: "stop" }),
      () => as.reset(),
      () => send({ deed: "restart" }),
    ];
    for (const off of turnOff) {
      await send({ deed: "switch_on" });
      assertEquals(await isWrong(as), true);
      await off();
      assertEquals(await isWrong(as), false);
      const heading = textOf(byId(await open(), "stage"));
      assertEquals(heading, off === turnOff[2] ? "What to try" : `Next: ${wrongIss}`);
    }
  });
});
