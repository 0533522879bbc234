/** Other addresses over HTTP: a route with an answer that the caller gives. */

import { assertEquals, assertMatch } from "@std/assert";
import { testIn } from "../../test_in.ts";
import { withControl } from "./with_control.ts";

const it = testIn(withControl);

it("control: a route answers one method at one URL, until it is removed or until a reset", async ({ ask, as }) => {
  await ask("POST", "/look_alikes", { body: { name: "github" } });
  const orgs = { route: "GET https://api.github.com/of/no/api", body: [{ login: "shop-team" }] };
  const made = await ask("POST", "/routes", { body: orgs });
  assertEquals([made.status, made.body], [201, { id: "route-1", ...orgs }]);
  const text = { route: "PUT /status", status: 202, headers: { "X-Is": "x" }, body: "fine" };
  await ask("POST", "/routes", { body: text });
  const read = async (url: string, method = "GET") => {
    const { status, headers, ...answer } = await as.fetch(url, { method }).then(async (answer) => ({
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
    }));
    return [status, headers.get("content-type"), headers.get("x-is"), answer.text];
  };
  const json = "application/json";
  const url = "https://api.github.com/of/no/api";
  assertEquals(await read(url), [200, json, null, '[{"login":"shop-team"}]']);
  assertEquals(as.requests.last?.api, url);
  assertEquals(await read(`${as.issuer}/status`, "PUT"), [202, json, "x", "fine"]);
  assertEquals((await ask("GET", "/routes")).body.routes, [{ id: "route-1", ...orgs }, {
    id: "route-2",
    ...text,
  }]);
  assertEquals((await ask("DELETE", "/routes/route-1")).status, 204);
  assertEquals((await read(url))[0], 501);
  await ask("POST", "/reset");
  assertEquals((await ask("GET", "/routes")).body.routes, []);
  assertEquals((await read(`${as.issuer}/status`, "PUT"))[0], 404);
});

it("control: a route that cannot be is refused with its place, and adds nothing", async ({ ask }) => {
  const refused = async (body: object) => {
    const answer = await ask("POST", "/routes", { body });
    return [answer.status, answer.body.place, answer.body.error_description] as const;
  };
  const leaveOut = (name: string) =>
    [{ route: "GET /status", headers: { [name]: "x" } }, `headers.${name}`, /must be left out/] as const;
  const wrong: readonly (readonly [body: object, place: string | undefined, says: RegExp])[] = [
    [{ route: "https://api.test/orders" }, "route", /one of the methods GET, .*a space, and a URL/],
    [{ route: "GET https://api.test/?a=b" }, "route", /without query/],
    [{ route: "GET https://api.test/people/{username}" }, "route", /a URL without query, fragment and {}/],
    [{ route: "GET /oauth2/token" }, undefined, /the authorization server answers at/],
    [{ route: "GET /_postern/status" }, "route", /must be a path outside of \/_postern/],
    [{ route: "GET /status", status: 204, body: "x" }, "answer", /no body with the status 204/],
    ...[199, 600].map((status) => [{ route: "GET /status", status }, "status", /./] as const),
    // RFC 9110 §7.6.1, and what the length of a body follows from.
    ...["connection", "content-length", "keep-alive", "proxy-connection", "TE", "trailer"].map(leaveOut),
    ...["transfer-encoding", "Upgrade"].map(leaveOut),
    [{ route: "GET /status", answer: {} }, "answer", /./],
  ];
  for (const [body, place, says] of wrong) {
    const [status, at, sentence] = await refused(body);
    assertEquals([status >= 400 && status < 500, at], [true, place], JSON.stringify(body));
    assertMatch(sentence, says);
  }
  assertEquals((await ask("GET", "/routes")).body.routes, []);
  // names that only begin or end as those above
  const headers = { Technology: "x", "upgrade-insecure-requests": "1", "x-connection": "x" };
  assertEquals((await ask("POST", "/routes", { body: { route: "GET /status", headers } })).status, 201);
  assertMatch((await refused({ route: "GET /status" }))[2], /exists already/);
  assertEquals((await ask("POST", "/reset")).status, 204);
  assertEquals((await ask("GET", "/routes")).body.routes, []);
});
