/** Misbehaviours over HTTP: the catalogue, one that is on, and its verdict. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { misbehaviourNames } from "../../../src/kit/faults/names.ts";
import { authorizeUrl } from "../../kit/mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { withControl } from "./with_control.ts";

const name = "authorization_response.iss_wrong";

const it = testIn(withControl);

it("control: the catalogue is listed by area and level", async ({ ask }) => {
  const { body } = await ask("GET", "/misbehaviours/catalogue");
  assertEquals(body.misbehaviours.map((each: { name: string }) => each.name), [...misbehaviourNames]);
  const some = await ask("GET", "/misbehaviours/catalogue?area=authorization_response&level=must");
  const found = some.body.misbehaviours;
  assert(found.length > 0);
  for (const { area, level } of found) assertEquals([area, level], ["authorization_response", "must"]);
  assertEquals((await ask("GET", "/misbehaviours/catalogue?area=cookies")).body.place, "?area");
  const said = await ask("GET", "/misbehaviours/catalogue?area=id_token&words=wrong+audience");
  assertEquals(said.body.misbehaviours[0].name, "id_token.aud_wrong");
});

it("control: a misbehaviour is on until it is removed or reset", async ({ ask, as }) => {
  const issOf = async () => (await as.authorize(authorizeUrl(as.issuer))).searchParams.get("iss");
  const made = await ask("POST", "/misbehaviours", { body: { name, client: "app", times: 5 } });
  const { id, count, verdict } = made.body;
  assertEquals([made.status, id, count, verdict.outcome], [201, "misbehaviour-1", 0, "pending"]);
  assert(await issOf() !== as.issuer);
  const listed = (await ask("GET", "/misbehaviours")).body.misbehaviours;
  assertEquals([listed.length, listed[0].name, listed[0].times, listed[0].count], [1, name, 5, 1]);
  assertEquals((await ask("DELETE", `/misbehaviours/${id}`)).status, 204);
  assertEquals(await issOf(), as.issuer);
  assertEquals((await ask("GET", `/misbehaviours/${id}`)).status, 404);

  await ask("POST", "/misbehaviours", { body: { name } });
  assertEquals((await ask("POST", "/reset")).status, 204);
  assertEquals([await issOf(), (await ask("GET", "/misbehaviours")).body.misbehaviours], [as.issuer, []]);
});

test("control: the caller's word settles a verdict, and a broken client is no refusal", async () => {
  await withControl(async ({ ask, as }) => {
    const { id } = (await ask("POST", "/misbehaviours", { body: { name } })).body;
    await as.authorize(authorizeUrl(as.issuer));
    const body = { result: "refusal", error: "TypeError: 'NoneType' object is not subscriptable" };
    const settled = await ask("POST", `/misbehaviours/${id}/settle`, { body });
    assertEquals([settled.status, settled.body.outcome], [200, "crashed"]);
    assertMatch(settled.body.because, /TypeError/);
    const [request] = settled.body.requests;
    assertEquals(request.altered, [{ seam: "authorization_response", by: name }]);
    const shown = (await ask("GET", `/misbehaviours/${id}`)).body.verdict;
    assertEquals(shown, settled.body);
  });
  for (
    const error of [
      "java.net.http.HttpTimeoutException: request timed out",
      "java.net.ConnectException: null",
      "ConnectionRefusedError: [Errno 111] Connection refused",
      "TimeoutError: context deadline exceeded",
      "httpx.ConnectError: all attempts failed\nfor 127.0.0.1:9",
      // Without a frame of the client, it may be an error of its runtime.
      "TypeError: the issuer is another one",
    ]
  ) {
    await withControl(async ({ ask, as }) => {
      const { id } = (await ask("POST", "/misbehaviours", { body: { name } })).body;
      await as.authorize(authorizeUrl(as.issuer));
      const body = { result: "refusal", error };
      const settled = await ask("POST", `/misbehaviours/${id}/settle`, { body });
      const because = `The client failed, but not with a refusal: ${error}`;
      assertEquals([settled.body.outcome, settled.body.because], ["unknown", because]);
    });
  }
  await withControl(async ({ ask, as }) => {
    const { id } = (await ask("POST", "/misbehaviours", { body: { name } })).body;
    assertEquals((await ask("POST", `/misbehaviours/${id}/settle`)).body.outcome, "not_reached");
    assertEquals((await ask("POST", `/tenants/acme/misbehaviours`, { body: { name } })).status, 201);
    const url = authorizeUrl(as.tenant("acme").issuer);
    assert((await as.authorize(url)).searchParams.get("iss") !== as.tenant("acme").issuer);
  });
});

it("control: a wrong misbehaviour is refused with what was expected", async ({ ask }) => {
  const wrong = async (body: unknown, path = "/misbehaviours") => {
    const { status, body: { place, error_description: text } } = await ask("POST", path, { body });
    return [status, place, text];
  };
  const [status, place, text] = await wrong({ name: "authorization_response.iss_worng" });
  assertEquals([status, place], [400, "name"]);
  assertMatch(text, /Did you mean authorization_response\.iss_wrong\?/);
  assertMatch((await wrong({ name: "id_token.expired" }))[2], /Did you mean id_token\.exp_past\?/);
  for (const terms of [{ probability: 2 }, { probability: -1 }, { times: 0 }]) {
    assertEquals((await wrong({ name, ...terms })).slice(0, 2), [400, Object.keys(terms)[0]]);
  }
  assertEquals((await wrong({ name, username: "nobody" }))[1], "username");
  const { id } = (await ask("POST", "/misbehaviours", { body: { name } })).body;
  const settle = `/misbehaviours/${id}/settle`;
  assertEquals((await wrong({ result: "success", error: "x" }, settle)).slice(0, 2), [400, "error"]);
});

test("control: misbehaviours and look-alikes that are on from the start, or by a test, are listed and switched off", async () => {
  const options = { misbehave: [name], lookLike: "github" } as const;
  await withControl(async ({ ask, as }) => {
    const list = async () => (await ask("GET", "/misbehaviours")).body.misbehaviours;
    const namesOf = (all: readonly { readonly id: string; readonly name: string }[]) =>
      all.map((each) => [each.id, each.name]);
    using wrong = as.misbehave("id_token.nonce_wrong", { person: "bob", times: 1 });
    const all = await list();
    assertEquals(namesOf(all), [["misbehaviour-1", name], ["misbehaviour-2", wrong.name]]);
    assertEquals([all[1].username, all[1].times], ["bob", 1]);
    assertEquals((await ask("DELETE", "/misbehaviours/misbehaviour-1")).status, 204);
    wrong[Symbol.dispose]();
    assertEquals(await list(), []);
    const { look_alikes: lookAlikes } = (await ask("GET", "/look_alikes")).body;
    assertEquals(namesOf(lookAlikes), [["look_alike-1", "github"]]);
    assertEquals((await ask("DELETE", "/look_alikes/look_alike-1")).status, 204);
    // A reset restores what was on at the start.
    as.reset();
    assertEquals(namesOf(await list()), [["misbehaviour-3", name]]);
    assertEquals(namesOf((await ask("GET", "/look_alikes")).body.look_alikes), [["look_alike-2", "github"]]);
  }, { options });
});
