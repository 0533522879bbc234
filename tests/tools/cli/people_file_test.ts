/** `--people FILE`: people in a file of their own, which the server writes with --control. */

import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { chmod, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import process from "node:process";
import { CommandError } from "../../../src/tools/cli/terminal/command_error.ts";
import { launchControlled } from "../../../src/tools/cli/start/launch_controlled.ts";
import { readPeopleFile } from "../../../src/tools/cli/start/people_file.ts";
import { readPlan } from "../../../src/tools/cli/start/plan.ts";
import { fromRequest, toResponse } from "../../../src/ground/http/message.ts";
import { checkPassword, isPasswordHash } from "../../../src/ground/crypto/password.ts";
import { NotSaved } from "../../../src/kit/mock/terms/directory.ts";
import { testIn } from "../../test_in.ts";
import * as program from "./command.ts";
import { inFolder } from "../../in_folder.ts";
import { withServer } from "./in_process.ts";

const people = [{ username: "carol", claims: { name: "Carol Clark" } }, { username: "dave" }];

async function writePeople(path: string, listed: unknown = people): Promise<string> {
  const text = JSON.stringify({ people: listed });
  await writeFile(path, text);
  return text;
}

async function readPeople(path: string): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse(await readFile(path, "utf8")).people;
}

/** A server with --control and this file, as a function that calls its control plane. */
async function control(path: string) {
  const server = await launchControlled(await readPlan({ people: path, control: true }), { control: true });
  const call = async (method: string, address: string, body?: unknown) => {
    const response = toResponse(
      await server.answer(fromRequest(
        new Request(`http://localhost:9000/_postern${address}`, {
          method,
          ...(body === undefined
            ? {}
            : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
        }),
        "127.0.0.1",
      )),
    );
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  return { call, close: () => server.close() };
}

const it = testIn(inFolder);

it("people file: the sign-in page says that passwords are in the file", async (path) => {
  await writePeople(path("people.json"), [{ username: "carol", password: "correct horse" }]);
  await withServer(["--people", path("people.json")], async ({ issuer }) => {
    const page = await (await fetch(`${issuer}/start?client_id=demo`)).text();
    assertMatch(page, /Passwords are in <code>people\.json<\/code>, the file of <code>--people<\/code>\./);
    assert(!page.includes(path("people.json")), "the page does not show the folder");
  });
});

it("people file: its people replace those of the configuration, and can sign in", async (path) => {
  await writePeople(path("people.json"));
  await writeFile(path("postern.json"), JSON.stringify({ people: [{ username: "erin" }] }));
  const flags = ["--people", path("people.json"), "--config", path("postern.json"), "--login", "auto:dave"];
  const { stdout } = await withServer(flags, async ({ issuer }) => {
    assertMatch(await (await fetch(`${issuer}/`)).text(), /Carol Clark/);
  });
  assertMatch(stdout, /^ {2}People {4}carol {2}Carol Clark$/m);
  assertMatch(stdout, /^ {12}They are in .*people\.json\.$/m);
  assert(!stdout.includes("erin"), stdout);
});

const wrong: readonly (readonly [what: string, text: string | undefined, message: RegExp])[] = [
  [
    "is missing",
    undefined,
    /^--people .+people\.json: .*no .*file.*\. With --control, the first change of a person /,
  ],
  ["is not JSON", '{ "people": [ }', /^people\.json:1:15: expected a value/],
  ["has a comment", '{ "people": [] } // none', /^people\.json must be JSON without comments and trailing /],
  [
    "has more than people",
    '{ "people": [], "clients": [] }',
    /^people\.json:1:\d+: clients is not known: known are \$schema, people$/,
  ],
  [
    "has a person twice",
    '{ "people": [{ "username": "carol" },\n{ "username": "carol" }] }',
    /^people\.json:2:15: people\[1\]\.username must be unique/,
  ],
];

for (const [what, text, message] of wrong) {
  it(`people file: a file that ${what} is refused, and the error names the place`, async (path) => {
    if (text !== undefined) await writeFile(path("people.json"), text);
    const error = await assertRejects(() => readPlan({ people: path("people.json") }), CommandError);
    assertMatch(error.message, message);
  });
}

it("people file: a mistake in the configuration keeps the place in its own file", async (path) => {
  await writePeople(path("people.json"));
  await writeFile(path("postern.json"), '{ "alg": "none" }');
  const flags = { people: path("people.json"), config: path("postern.json") };
  const error = await assertRejects(() => readPlan(flags), CommandError);
  assertMatch(error.message, /^postern\.json:1:10: alg /);
  const { people: only } = flags;
  const login = await assertRejects(() => readPlan({ people: only, login: "auto:zoe" }), CommandError);
  assertMatch(login.message, /^--login must name a configured person/);
});

it("people file: with --control, changes are written, with hashes instead of passwords, and survive a reset", async (path) => {
  const file = path("people.json");
  await writePeople(file);
  const first = await control(file);
  const erin = { username: "erin", password: "open sesame", claims: { email: "erin@example.com" } };
  assertEquals((await first.call("POST", "/people", erin)).status, 201);
  assertEquals((await first.call("PATCH", "/people/dave", { claims: { name: "Dave" } })).status, 200);
  assertEquals((await first.call("DELETE", "/people/carol")).status, 204);
  assertEquals((await first.call("POST", "/people", { username: "dave" })).status, 400);
  assertEquals((await first.call("POST", "/reset")).status, 204);
  const listed = (await first.call("GET", "/people")).body.people;
  assertEquals(listed.map(({ username }: { username: string }) => username), ["dave", "erin"]);
  await first.close();

  const text = await readFile(file, "utf8");
  assert(!text.includes("open sesame"), text);
  const [dave, saved] = await readPeople(file);
  assertEquals(dave, { username: "dave", claims: { name: "Dave" } });
  const hash = `${saved!["password"]}`;
  assert(isPasswordHash(hash) && await checkPassword("open sesame", hash));

  const second = await control(file);
  assertEquals((await second.call("GET", "/people")).body.people.length, 2);
  assertEquals((await second.call("POST", "/login", { username: "erin" })).status, 200);
  await second.close();
});

it("people file: with --control, a damaged hash is refused, and does not become a password", async (path) => {
  const file = path("people.json");
  const before = await writePeople(file);
  const { call, close } = await control(file);
  const damaged = { password: "scrypt:damaged" };
  const changes = [["POST", "", { username: "erin" }], ["PATCH", "/dave", {}]] as const;
  for (const [method, address, body] of changes) {
    const answer = await call(method, `/people${address}`, { ...body, ...damaged });
    assertEquals(answer.status, 400, method);
    assertMatch(answer.body.error_description, /not a hash/);
  }
  assertEquals(await readFile(file, "utf8"), before);
  await close();
});

const legal: readonly (readonly [what: string, write: (text: string) => string])[] = [
  ["with a byte order mark", (text) => `\ufeff${text}`],
  ["with other line breaks and indents", (text) => `\r\n\t${text.replaceAll(",", ",\r\n\t")}\r\n`],
];

for (const [what, write] of legal) {
  it(`people file: with --control, a file ${what} is changed, too`, async (path) => {
    const file = path("people.json");
    await writeFile(file, write(await writePeople(file)));
    const { call, close } = await control(file);
    assertEquals((await call("POST", "/people", { username: "erin" })).status, 201);
    await close();
    assertEquals((await readPeople(file)).length, 3);
  });
}

it("people file: the first change creates a missing file, for its owner only", async (path) => {
  const file = path("people.json");
  const { call, close } = await control(file);
  assertEquals((await call("GET", "/people")).body.people.length, 2);
  await assertRejects(() => stat(file));
  assertEquals((await call("POST", "/people", { username: "carol" })).status, 201);
  assertEquals((await readPeople(file)).map(({ username }) => username), ["alice", "bob", "carol"]);
  if (process.platform !== "win32") assertEquals((await stat(file)).mode & 0o777, 0o600);
  await close();
});

it("people file: a file that was changed by hand meanwhile is not overwritten, and the change is undone", async (path) => {
  const file = path("people.json");
  await writePeople(file);
  const { call, close } = await control(file);
  const byHand = await writePeople(file, [...people, { username: "by-hand" }]);
  const { status, body } = await call("POST", "/people", { username: "erin" });
  assertEquals([status, body.error], [422, "failed"]);
  assertMatch(body.error_description, /^people\.json has changed since the server read it, and the server /);
  assertEquals(await readFile(file, "utf8"), byHand);
  assertEquals((await call("GET", "/people")).body.people, people);
  assertEquals((await call("POST", "/login", { username: "erin" })).status, 400);
  await close();
});

it("people file: of two servers that write, one is refused, and no temporary file stays", async (path) => {
  const file = path("people.json");
  await writePeople(file);
  const [left, right] = [await readPeopleFile(file, true), await readPeopleFile(file, true)];
  left.save([{ username: "left" }]);
  assertThrows(() => right.save([{ username: "right" }]), NotSaved, "has changed since the server read it");
  assertEquals(await readPeople(file), [{ username: "left" }]);
  left.save([{ username: "left again" }]);
  await assertRejects(() => stat(`${file}.new`));

  await writeFile(`${file}.new`, "half");
  assertThrows(() => left.save([]), NotSaved, "Another server is writing people.json");
  assertEquals(await readPeople(file), [{ username: "left again" }]);
  await rm(`${file}.new`);
  left.save([{ username: "left at last" }]);
  assertEquals(await readPeople(file), [{ username: "left at last" }]);
});

it("people file: a file behind a link stays there, keeps its mode, and keeps its $schema", async (path) => {
  await writeFile(path("real.json"), JSON.stringify({ $schema: "./schema.json", people }));
  await chmod(path("real.json"), 0o640);
  await symlink(path("real.json"), path("people.json"));
  const file = await readPeopleFile(path("people.json"), true);
  file.save([]);
  const written = JSON.parse(await readFile(path("real.json"), "utf8"));
  assertEquals(written, { $schema: "./schema.json", people: [] });
  if (process.platform !== "win32") assertEquals((await stat(path("real.json"))).mode & 0o777, 0o640);
});

it("people file: changes of a tenant's people stay in memory", async (path) => {
  const file = path("people.json");
  const before = await writePeople(file);
  const { call, close } = await control(file);
  assertEquals((await call("POST", "/tenants/acme/people", { username: "erin" })).status, 201);
  assertEquals(await readFile(file, "utf8"), before);
  await close();
});

it("people file: with --watch, the server applies a changed file", async (path) => {
  const file = path("people.json");
  await writePeople(file);
  await program.withServer(["--people", file, "--watch"], async ({ printed }) => {
    await printed(/OAUTH_/);
    await writePeople(file, [...people, { username: "erin" }]);
    await printed(/^people\.json has changed, and is applied: 2 clients, 3 people$/m);
  });
});
