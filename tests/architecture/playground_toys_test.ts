/** The playground offers the requests of a feature that it has never heard of. */

import { assertEquals } from "@std/assert";
import { listRequestKinds } from "../../src/dashboard/playground/request_kinds.ts";
import { defaultFeatures, everyFeature } from "../../src/features/mod.ts";
import { createLazyPages } from "../../src/pages/lazy.ts";
import { assembleServer } from "../../src/server/server.ts";
import { test } from "../runner.ts";
import { worldDefaults } from "../world.ts";
import { authMethodToy } from "./auth_method_toy.ts";
import { grantTypeToy } from "./grant_type_toy.ts";
import { richRequestToy } from "./rich_request_toy.ts";

test("architecture: the playground offers the grants, parameters and methods of a feature", async () => {
  const toys = [authMethodToy, grantTypeToy, richRequestToy].map(({ feature }) => feature);
  const { server, services } = assembleServer(worldDefaults, {
    features: [...defaultFeatures(everyFeature), ...toys],
    createPages: createLazyPages,
  });
  const kinds = new Map(listRequestKinds(services).map(({ id, fields }) => [id, fields]));
  const namesOf = (id: string) => kinds.get(id)?.map(({ name }) => name);

  assertEquals(kinds.get("token.urn:example:toy-exchange")?.slice(0, 3), [
    { name: "subject_token", isSecret: true, isLong: true, isUsual: true },
    { name: "toy_id", isUsual: true },
    { name: "audience", role: "words", isUsual: true },
  ]);
  assertEquals(namesOf("authorize")?.includes("toy_details"), true);
  const methods = kinds.get("revoke")?.find(({ name }) => name === "client_authentication")?.known;
  assertEquals(methods?.at(-1), "client_secret_toy");
  await server.close();
});
