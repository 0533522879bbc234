/** TIME-02: whatever is compared with a secret, of any length and in any script, is refused alike and never a fault. */

import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { basic, createBrowser, inWorld, type World } from "../world.ts";
import { readRefusal } from "./site.ts";

/** Other than the right text in length or in octets; some are equal to it in one way of counting and not in another. */
function unlike(right: string): string[] {
  return [
    "",
    right.slice(1),
    right.slice(0, -1),
    right.slice(0, 1),
    `${right}x`,
    `x${right}`,
    right + right,
    "x".repeat(right.length),
    "é".repeat(right.length),
    "\u{1F600}".repeat(Math.ceil(right.length / 2)),
    right.slice(0, -1) + String.fromCharCode(right.charCodeAt(right.length - 1) + 256),
    right.toUpperCase() + right.toLowerCase(),
    `${right}\0`,
    "x".repeat(5000),
  ];
}

/** Everything about the answer that somebody could compare with another one. */
async function tell(response: Response): Promise<string> {
  return `${response.status}\n${[...response.headers].join("\n")}\n${await response.text()}`;
}

async function assertAlike(world: World, asks: readonly (() => Promise<Response>)[]): Promise<string> {
  const told = new Set<string>();
  for (const ask of asks) {
    told.add(await tell(await ask()));
    world.clock.advance(61); // no attempt of this one counts for the next
  }
  assertEquals(told.size, 1, [...told].join("\n\n"));
  return [...told][0]!;
}

test("TIME-02 client secrets: wrong in whatever way, and of nobody, are refused in the same words", async () => {
  await inWorld({}, async (world) => {
    const right = "basic secret: a+b%c";
    const asks = unlike(right).filter((each) => each !== "").flatMap((wrong) =>
      ["basic", "nobody", "public"].map((id) => () =>
        world.redeem("x", { client_id: undefined }, basic(id, wrong))
      )
    );
    const told = await assertAlike(world, asks);
    assert(told.startsWith("401\n") && told.includes("invalid_client"), told);
  });
});

test("TIME-02 codes: wrong in whatever way are refused in the same words, and the right one is still good", async () => {
  await inWorld({}, async (world) => {
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
    const heard = new Set<string>();
    for (const text of wrong) heard.add(await tell(await world.redeem(text)));
    assertEquals(heard.size, 1, [...heard].join("\n\n"));
    assertEquals(await readRefusal(await world.redeem(wrong[0]!)), "400 invalid_grant");
    assertEquals((await world.redeem(code)).status, 200);
  });
});

test("TIME-02 passwords: wrong in whatever way, and of nobody, are refused in the same words", async () => {
  const people = [{ username: "carol", password: "correct horse" }, { username: "dave" }];
  await inWorld({ login: "picker", people }, async (world) => {
    const problems = new Set<string>();
    for (const username of ["carol", "dave", "nobody", ""]) {
      for (const password of unlike("correct horse")) {
        const browser = createBrowser(world);
        const again = await browser.submit(await browser.open(world.authorizeUrl()), { username, password });
        problems.add(`${again.status} ${/id="problem"[^>]*>([^<]*)/.exec(again.html)?.[1]}`);
        assert(![...browser.cookies.keys()].some((name) => name.includes("session")), username);
        world.clock.advance(61);
      }
    }
    assertEquals(problems.size, 1, [...problems].join("\n"));
    assert([...problems][0]!.startsWith("400 That password"), [...problems][0]);
  });
});
