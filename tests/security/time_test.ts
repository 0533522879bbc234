/** Every wrong text in place of a secret, of any length and script, gets the same refusal. */

import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in_world.ts";
import { basic, createBrowser, createWorld, type World } from "../world.ts";
import { readRefusal } from "./site.ts";

/** Texts that differ from the right one in length or content; some have as many characters but not as many bytes. */
function unlike(right: string): string[] {
  return [
    "",
    right.slice(1),
    right.slice(0, -1),
    `${right}x`,
    right + right,
    "x".repeat(right.length),
    "é".repeat(right.length),
    right.slice(0, -1) + String.fromCharCode(right.charCodeAt(right.length - 1) + 256),
    right.toUpperCase() + right.toLowerCase(),
    `${right}\0`,
    "x".repeat(5000),
  ];
}

/** Everything in an answer that an attacker could compare with another answer. */
async function describeAnswer(response: Response): Promise<string> {
  return `${response.status}\n${[...response.headers].join("\n")}\n${await response.text()}`;
}

async function assertAlike(world: World, asks: readonly (() => Promise<Response>)[]): Promise<string> {
  const seen = new Set<string>();
  for (const ask of asks) {
    seen.add(await describeAnswer(await ask()));
    world.clock.advance(61); // so that throttling counts no attempt twice
  }
  assertEquals(seen.size, 1, [...seen].join("\n\n"));
  return [...seen][0]!;
}

const it = testInWorld({});

it("client secrets: every wrong one gets the same refusal, also for an unknown client", async (world) => {
  const right = "basic secret: a+b%c";
  const asks = unlike(right).filter((each) => each !== "").flatMap((wrong) =>
    ["basic", "unknown", "public"].flatMap((id) => [
      () => world.redeem("x", { client_id: undefined }, basic(id, wrong)),
      () => world.redeem("x", { client_id: id, client_secret: wrong }),
    ])
  );
  const answer = await assertAlike(world, asks);
  assert(answer.startsWith("401\n") && answer.includes("invalid_client"), answer);
});

it("codes: every wrong one gets the same refusal, and the right one still works", async (world) => {
  const code = await world.code();
  const [id, secret] = code.split(".") as [string, string];
  const wrong = [
    ...unlike(secret).map((each) => `${id}.${each}`),
    ...unlike(id).map((each) => `${each}.${secret}`),
    ...unlike(code).filter((each) => each !== ""),
    `${secret}.${id}`,
    id,
    secret,
    `${id}.${secret}.${secret}`,
    `${"A".repeat(22)}.${secret}`,
    `${id}.${"A".repeat(43)}`,
  ];
  const seen = new Set<string>();
  for (const text of wrong) seen.add(await describeAnswer(await world.redeem(text)));
  assertEquals(seen.size, 1, [...seen].join("\n\n"));
  assertEquals(await readRefusal(await world.redeem(wrong[0]!)), "400 invalid_grant");
  assertEquals((await world.redeem(code)).status, 200);
});

const people = [{ username: "carol", password: "correct horse" }, { username: "dave" }];

/** Sends a wrong password for a username, and returns what the page says. */
async function sendWrongPassword(world: World, username: string, password: string): Promise<string> {
  const browser = createBrowser(world);
  const again = await browser.submit(await browser.open(world.authorizeUrl()), { username, password });
  assert(![...browser.cookies.keys()].some((name) => name.includes("session")), username);
  return `${again.status} ${/id="problem"[^>]*>([^<]*)/.exec(again.html)?.[1]}`;
}

test("passwords: every wrong one gets the same refusal, also for an unknown person", async () => {
  await using world = createWorld({ login: "picker", people, frontPage: "issuer" });
  // Few, because each check of a password is slow.
  const wrong = [
    ...["", "correct horse\0"].map((text) => ["carol", text] as const),
    ...["dave", "unknown"].map((username) => [username, "correct horse"] as const),
  ];
  for (const [username, password] of wrong) {
    const problem = await sendWrongPassword(world, username, password);
    assertEquals(problem, "400 That password is not right. Please try again.", username);
  }
});
