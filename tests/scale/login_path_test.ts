/** How many files a reader opens to follow a login from the listener to the answer, and that their names tell them apart. */
import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { type ClientKind, measureLogin, type Stop } from "./login_path.ts";

/** The most files for each client. Lower a figure when a path gets shorter. */
const limits: Readonly<Record<ClientKind, { readonly authorize: number; readonly token: number }>> = {
  public: { authorize: 53, token: 53 },
  confidential: { authorize: 53, token: 56 },
};

for (const [kind, limit] of Object.entries(limits) as [ClientKind, typeof limits[ClientKind]][]) {
  test(`login path: the requests of a ${kind} client pass few files`, async () => {
    const { authorize, token } = await measureLogin(kind);
    const files = [
      "server/runtime/listen_node.ts",
      "server/pipeline/answer_request.ts",
      "server/store/memory.ts",
    ];
    for (const file of files) {
      assert(token.some((stop) => stop.file === file), `the token request passes ${file}`);
    }
    assert(authorize.length <= limit.authorize, describe("authorize", authorize, limit.authorize));
    assert(token.length <= limit.token, describe("token", token, limit.token));
  });
}

test("login path: no two functions on the path have one name", async () => {
  const { authorize, token } = await measureLogin("confidential");
  assertEquals(await findSharedNames(token), []);
  assertEquals(await findSharedNames(authorize), []);
});

function describe(request: string, stops: readonly Stop[], limit: number): string {
  return `${request}: ${stops.length} files instead of ${limit}\n${stops.map(({ file }) => file).join("\n")}`;
}

/**
 * Returns the names of functions that are declared in two files. Methods are not compared: `read`, `handle` or `get` is
 * the member of an interface, and says the same in each object.
 */
async function findSharedNames(stops: readonly Stop[]): Promise<readonly string[]> {
  const files = new Map<string, string[]>();
  for (const { file, functions } of stops) {
    const text = await Deno.readTextFile(new URL(`../../src/${file}`, import.meta.url));
    for (const name of functions) {
      const isDeclared = new RegExp(`\\b(function|const) ${name}\\b`).test(text);
      if (isDeclared) files.set(name, [...files.get(name) ?? [], file]);
    }
  }
  return [...files].filter(([, declaring]) => declaring.length > 1).map(([name]) => name).sort();
}
