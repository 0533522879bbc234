/** Challenges that alone name the metadata of an API, and clients that read them in different ways (RFC 9110 §11; RFC 9728 §5.1). */

import { assertEquals } from "@std/assert";
import { examine, type MisbehaviourName, type Mock, type Scenario } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";

const only: readonly MisbehaviourName[] = [
  "resource.challenge_capitals",
  "resource.challenges_several",
  "resource.unauthorized_html",
];

/** Returns the address of the metadata in a challenge, if it finds one. */
type Find = (challenge: string) => string | undefined;

const wellKnown = ({ api }: Scenario) => {
  const { origin, pathname } = new URL(api);
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
};

async function callApi(as: Mock, scenario: Scenario, find: Find): Promise<void> {
  const { api } = scenario;
  const refused = await as.fetch(api);
  const challenge = refused.headers.get("www-authenticate") ?? "";
  const described = await as.fetch(find(challenge) ?? wellKnown(scenario));
  if (!described.ok) throw new Error("the API has no metadata");
  const { resource } = await described.json();
  const { access_token } = await as.login("alice", { client: "app", scope: "orders", resource });
  const answer = await as.fetch(api, { headers: { authorization: `Bearer ${access_token}` } });
  if (!answer.ok) throw new Error(`the API answers ${answer.status}`);
}

async function examineReader(find: Find) {
  const client = (as: Mock, scenario: Scenario) => callApi(as, scenario, find);
  const { rows } = await examine({ client, only, within: 60 });
  return rows.map(({ outcome }) => outcome);
}

test("challenges: a client that finds the parameter in any place and spelling goes on", async () => {
  const outcomes = await examineReader((text) => /resource_metadata="([^"]*)"/i.exec(text)?.[1]);
  assertEquals(outcomes, ["tolerated", "tolerated", "tolerated"]);
});

test("challenges: a client that looks at the usual address only does not pass for one that reads them", async () => {
  assertEquals(await examineReader(() => undefined), ["broke", "broke", "broke"]);
});

test("challenges: a client that minds capital letters, or wants its scheme first, stops", async () => {
  const parameter = /^bearer .*resource_metadata="([^"]*)"/;
  const outcomes = await examineReader((text) => parameter.exec(text.replace(/^Bearer/, "bearer"))?.[1]);
  assertEquals(outcomes, ["broke", "broke", "tolerated"]);
});
