/** prompt and max_age: when the server asks the person again. */

import { assertEquals } from "@std/assert";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_openid.ts";
import type { Params } from "../../world.ts";
import {
  agree,
  answerOf,
  ask,
  claimsOf,
  clientOf,
  inOpenId,
  type Screen,
  screenOf,
  signIn,
  signInBoth,
  tokensOf,
} from "./openid_world.ts";

const it = testWith();

it("prompt: none with an exceeded max_age is login_required (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  world.clock.advance(61);
  const answer = answerOf(await ask(world, browser, { prompt: "none", max_age: "60" }));
  assertEquals(answer.get("error"), "login_required");
});

it("prompt: none without a session is login_required, with the state and without a page (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  const answer = answerOf(await ask(world, browser, { prompt: "none" }));
  assertEquals([answer.get("error"), answer.get("state")], ["login_required", "af0ifjsldkj"]);
  assertEquals(answer.get("iss"), world.issuer);
});

it("prompt: none with several people signed in is account_selection_required (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  await signInBoth(world, browser);
  const answer = answerOf(await ask(world, browser, { prompt: "none" }));
  assertEquals(answer.get("error"), "account_selection_required");
  const hinted = await ask(world, browser, { prompt: "none", login_hint: "alice" });
  assertEquals((await claimsOf(world, await tokensOf(world, hinted))).sub, "subject-of-a");
});

it("prompt: none with nothing to ask gives a code for the existing sign-in (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  const first = await claimsOf(world, await signIn(world, browser, "alice"));
  world.clock.advance(60);
  const silent = await claimsOf(world, await tokensOf(world, await ask(world, browser, { prompt: "none" })));
  assertEquals([silent.sub, silent["auth_time"], silent["sid"]], [
    first.sub,
    first["auth_time"],
    first["sid"],
  ]);
});

it("prompt: login asks a signed-in person, auth_time is new, and sid stays (OpenID Connect Core §3.1.2.3)", async ({ world, browser }) => {
  const first = await claimsOf(world, await signIn(world, browser, "alice"));
  world.clock.advance(60);
  const page = await ask(world, browser, { prompt: "login" });
  assertEquals(screenOf(page), "sign_in");
  world.clock.advance(3);
  const again = await claimsOf(world, await tokensOf(world, await agree(browser, page, "alice")));
  assertEquals(again["auth_time"], Number(first["auth_time"]) + 63);
  assertEquals(again["sid"], first["sid"]);
});

it("prompt: login asks once per request, and not again after consent (OpenID Connect Core §3.1.2.3)", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  world.clock.advance(60);
  const page = await ask(world, browser, { prompt: "login consent" });
  const consent = await browser.submit(page, { person: "alice" });
  assertEquals(screenOf(consent), "consent");
  world.clock.advance(30);
  assertEquals(screenOf(await browser.submit(consent, { decision: "approve" })), "client");
});

it("prompt: login cannot be bypassed with another form of the same request (OpenID Connect Core §3.1.2.3)", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  world.clock.advance(60);
  const page = await ask(world, browser, { prompt: "login" });
  const otherForms = [
    ["/oauth2/account", { account: "alice" }],
    ["/oauth2/consent", { decision: "approve" }],
  ] as const;
  for (const [path, fields] of otherForms) {
    const html = page.html.replaceAll("/oauth2/sign_in", path);
    assertEquals(screenOf(await browser.submit({ ...page, html }, fields)), "sign_in", path);
  }
});

it("prompt: a new sign-in of one person does not count for another person chosen afterwards (OpenID Connect Core §3.1.2.3)", async ({ world, browser }) => {
  await signInBoth(world, browser);
  world.clock.advance(60);
  const page = await ask(world, browser, { prompt: "login consent", login_hint: "alice" });
  const consent = await browser.submit(page, { person: "alice" });
  assertEquals(screenOf(consent), "consent");
  const html = consent.html.replaceAll("/oauth2/consent", "/oauth2/account");
  assertEquals(screenOf(await browser.submit({ ...consent, html }, { account: "bob" })), "sign_in");
});

test("prompt: an answer does not count for another person after its person signs out (OpenID Connect Core §3.1.2.3, §3.1.2.1)", async () => {
  const asked: readonly (readonly [params: Params, screen: Screen])[] = [
    [{ prompt: "login consent" }, "sign_in"],
    [{ prompt: "consent", max_age: "30" }, "sign_in"],
    [{ prompt: "select_account consent" }, "chooser"],
  ];
  for (const [params, screen] of asked) {
    await inOpenId({}, async (world, browser) => {
      const { alice } = await signInBoth(world, browser);
      world.clock.advance(60);
      let page = await ask(world, browser, params);
      if (screenOf(page) === "chooser") page = await browser.submit(page, { account: "alice" });
      const consent = screenOf(page) === "consent" ? page : await browser.submit(page, { person: "alice" });
      assertEquals(screenOf(consent), "consent");
      await browser.open(`/connect/logout?id_token_hint=${alice.id_token}`);
      const after = await browser.submit(consent, { decision: "approve" });
      assertEquals(screenOf(after), screen, JSON.stringify(params));
    });
  }
});

it("prompt: select_account shows the chooser once, even for a single person (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  await signIn(world, browser, "alice");
  const page = await ask(world, browser, { prompt: "select_account" });
  assertEquals(screenOf(page), "chooser");
  assertEquals(screenOf(await browser.submit(page, { account: "alice" })), "client");
  const both = await ask(world, browser, { prompt: "select_account consent" });
  assertEquals(screenOf(await browser.submit(both, { account: "alice" })), "consent");
});

it("prompt: an unknown value, or none beside another one, is refused (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  const refused = {
    "none login": "prompt_none_with_others",
    "consent none": "prompt_none_with_others",
    "none none": "prompt_none_with_others",
    "LOGIN": "prompt_unsupported",
    "login create": "prompt_create_off",
    "none create": "prompt_create_off",
  };
  for (const [prompt, reason] of Object.entries(refused)) {
    const answer = answerOf(await ask(world, browser, { prompt }));
    assertEquals([answer.get("error"), world.lastRefusal()?.reason], ["invalid_request", reason], prompt);
  }
});

const ages: readonly (readonly [params: Params, age: number, screen: Screen])[] = [
  [{ max_age: "60" }, 60, "client"],
  [{ max_age: "60" }, 61, "sign_in"],
  [{ max_age: "0" }, 0, "sign_in"],
  [{ max_age: "" }, 5000, "client"],
  [{ max_age: "31536000000" }, 5000, "client"],
  [{}, 5000, "client"],
];

for (const [params, age, screen] of ages) {
  it(`max_age: ${JSON.stringify(params)} after ${age} s leads to ${screen} (OpenID Connect Core §3.1.2.1)`, async ({ world, browser }) => {
    await signIn(world, browser, "alice");
    world.clock.advance(age);
    const page = await ask(world, browser, params);
    assertEquals(screenOf(page), screen);
    const claims = await claimsOf(world, await tokensOf(world, await agree(browser, page, "alice")));
    assertEquals(claims["auth_time"], world.clock.now - (screen === "client" ? age : 0));
  });
}

test("max_age: a client's default_max_age applies unless the request has its own (OpenID Connect Core §3.1.2.1)", () =>
  inOpenId({ clients: [clientOf("app", { default_max_age: 60 })] }, async (world, browser) => {
    await signIn(world, browser, "alice");
    world.clock.advance(61);
    assertEquals(screenOf(await ask(world, browser)), "sign_in");
    assertEquals(screenOf(await ask(world, browser, { max_age: "100" })), "client");
  }));

it("max_age: a text that is no whole number is refused (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  for (const max_age of ["-1", "1.5", "1e3", " 60", "0x10", "1".repeat(16)]) {
    assertEquals(answerOf(await ask(world, browser, { max_age })).get("error"), "invalid_request", max_age);
    assertEquals(world.lastRefusal()?.reason, "max_age_malformed", max_age);
  }
});
