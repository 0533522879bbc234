/** What a banner and errors show of a store's name. */
import { assertEquals } from "@std/assert";
import { hidePassword } from "../../../src/ground/values/hide_password.ts";
import { isStoreName } from "../../../src/server/store/open_store.ts";
import { test } from "../../runner.ts";

test("store url: the password and the query are left out, also if the URL is not well formed", () => {
  const cases: readonly (readonly [url: string, shown: string])[] = [
    ["memory", "memory"],
    ["sqlite:./a@b?c.db", "sqlite:./a@b?c.db"],
    ["postgres://db/postern", "postgres://db/postern"],
    ["postgres://ann@db:5432/postern", "postgres://ann@db:5432/postern"],
    ["postgres://ann:canary@db/postern?sslmode=require", "postgres://ann@db/postern"],
    ["postgres://ann:can?ary@db,other:5433/postern", "postgres://ann@db,other:5433/postern"],
    ["postgres://ann:can/a#ry@x@db/postern", "postgres://ann@db/postern"],
    ["rediss://:canary@cache/3", "rediss://cache/3"],
    ["redis+unix://ann:canary@/run/redis.sock?db=1", "redis+unix://ann@/run/redis.sock"],
    ["postgres://db/postern?password=canary", "postgres://db/postern"],
    ["postgres://db/postern?password=c@canary", "postgres://…"],
  ];
  for (const [url, shown] of cases) assertEquals(hidePassword(url), shown);
});

test("store url: each kind of store has its form, and any other name is refused", () => {
  const names = ["memory", "sqlite:a.db", "postgres://db", "postgresql://db"];
  const ofRedis = ["redis://a", "rediss://a", "redis+unix:///a"];
  for (const name of [...names, ...ofRedis]) assertEquals(isStoreName(name), true, name);
  const others = [
    "memory2",
    "sqlite:",
    "postgres://",
    "postgresqlite://a",
    "redis://",
    "redis+tls://a",
    "mysql://a",
  ];
  for (const name of [...others, ...names.map((name) => `x${name}`), ...ofRedis.map((name) => `x${name}`)]) {
    assertEquals(isStoreName(name), false, name);
  }
});
