/** The judge of a sign-in: the acr and the auth_time of an ID token, beside what the request asked for. */
import { assertEquals } from "@std/assert";
import { judgeSignIn } from "../../../../src/kit/mock/journal/judge_sign_in.ts";
import { test } from "../../../runner.ts";

const now = 1_800_000_000;

function judge(claims: object, params: Readonly<Record<string, string>>) {
  const checks = judgeSignIn({ ...claims }, (name) => params[name], now);
  return ["acr", "auth_time"].map((name) => checks.find((each) => each.name === name));
}

const signIns: readonly (readonly [claims: object, acr: string, authTime: string])[] = [
  [{ acr: "mfa", auth_time: now - 360 }, "passed", "passed"],
  [{ acr: "mf", auth_time: now - 361 }, "failed", "failed"],
  [{ acr: ["mfa"], auth_time: `${now}` }, "failed", "failed"],
  [{ acr: undefined, auth_time: undefined }, "open", "failed"],
];

for (const [claims, acr, authTime] of signIns) {
  test(`judge: ${JSON.stringify(claims)} is compared with the acr and the max_age of the request (OpenID Connect Core §3.1.3.7)`, () => {
    const [kind, age] = judge(claims, { acr_values: "gold mfa", max_age: "300" });
    assertEquals([kind?.result, kind?.expected, kind?.level], [acr, ["gold", "mfa"], "should"]);
    assertEquals([age?.result, age?.expected, age?.level], [authTime, now - 300, "should"]);
    assertEquals([kind, age].map((check) => check?.rule), [
      "OpenID Connect Core §3.1.3.7 (12)",
      "OpenID Connect Core §3.1.3.7 (13)",
    ]);
    // The server may leave out what is voluntary only.
    const essential = { id_token: { acr: { essential: true, values: ["gold", "mfa"] } } };
    const [needed] = judge(claims, { claims: JSON.stringify(essential) });
    assertEquals([needed?.result, needed?.expected], [acr === "open" ? "failed" : acr, ["gold", "mfa"]]);
  });
}

test("judge: a request that asked for no kind and no age of the sign-in is not compared with the ID token", () => {
  const claims = { acr: "mf", auth_time: 1 };
  for (const params of [{}, { acr_values: " " }, { max_age: "-1" }, { max_age: "60s" }, { claims: "{}" }]) {
    assertEquals(judge(claims, { ...params }), [undefined, undefined]);
  }
});

test("judge: the claims of a request count before its acr_values (OpenID Connect Core §5.5.1.1)", () => {
  const asked = JSON.stringify({ id_token: { acr: { value: "gold" } } });
  const [kind] = judge({ acr: "gold" }, { acr_values: "mfa", claims: asked });
  assertEquals([kind?.result, kind?.expected], ["passed", ["gold"]]);
});

test("judge: the earliest time of a sign-in is shown in whole seconds", () => {
  const [check] = judgeSignIn({}, (name) => name === "max_age" ? "300" : undefined, now + 0.9);
  assertEquals(check?.expected, now - 300);
});
