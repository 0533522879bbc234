/** A list of forbidden algorithms is careless: it lets through a JWT without a signature whose alg is written in another way. */

import { assertEquals } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { listVariants } from "../../../src/kit/faults/names.ts";
import { createMock, examine, examineApi, type MisbehaviourName } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { createClient } from "./clients/client.ts";
import { quick, quickAlg } from "./clients/habits.ts";

/** Whether each verifier takes a JWT without a signature, by its alg, and the first spelling for which it falls. */
const verifiers: Readonly<Record<string, readonly [takes: (alg: string) => boolean, spelling: string]>> = {
  "forbids no alg": [() => true, "none"],
  "forbids none": [(alg) => alg !== "none", "capitalized"],
  "forbids none and None": [(alg) => !["none", "None", "NONE"].includes(alg), "mixed_case"],
  "forbids none in any letters": [(alg) => alg.toLowerCase() !== "none", "white_space"],
  "trims, and forbids none in any letters": [(alg) => alg.trim().toLowerCase() !== "none", "unknown"],
  "knows all names but the empty one": [(alg) => alg === "", "empty"],
};

/** The first of the spellings that the row has. */
function chooseSpelling(name: MisbehaviourName, takes: (alg: string) => boolean): string | undefined {
  const algs = {
    none: "none",
    capitalized: "None",
    mixed_case: "NoNe",
    white_space: " none",
    unknown: "foo",
    empty: "",
  };
  return listVariants(name).find((variant) => takes(algs[variant as keyof typeof algs]));
}

for (const [way, [takes, spelling]] of Object.entries(verifiers)) {
  test(`unsigned: an API and its check of proofs that ${way} fall for ${spelling} (RFC 8725 §3.1)`, async () => {
    await using as = await createMock({ alg: quickAlg });
    const falls = (jwt: string) => {
      const { alg = "" } = decodeProtectedHeader(jwt);
      return jwt.endsWith(".") && takes(alg);
    };
    const { rows } = await examineApi({
      as,
      dpop: { url: "https://api.test/orders" },
      call(token, proof = "") {
        const isRight = [token, proof].every((jwt) => !jwt.endsWith(".") || falls(jwt));
        return new Response(null, { status: isRight ? 200 : 401 });
      },
      only: ["access_token.alg_none", "proof.alg_none"],
    });
    for (const { name, outcome, because } of rows) {
      const found = name === "access_token.alg_none" ? spelling : chooseSpelling(name, takes)!;
      assertEquals([outcome, because], ["fooled", `With the variant ${found}: The API answered 200.`]);
    }
  });

  const names = [
    "id_token.alg_none",
    "logout.alg_none",
    "jarm.alg_none",
    "userinfo.jwt_unsigned",
    "introspection.jwt_alg_none",
  ] as const;
  test(`unsigned: a client that ${way} falls for it, too (OpenID Connect Core §3.1.3.7 (7))`, async () => {
    const { rows } = await examine({
      client: createClient({ ...quick, takesUnsigned: takes }),
      only: names,
      options: { alg: quickAlg },
      within: 60,
    });
    for (const { name, outcome, because } of rows) {
      const expected = chooseSpelling(name, takes)!;
      assertEquals([name, outcome], [name, "fooled"], because);
      assertEquals(because.startsWith(`With the variant ${expected}: `), true, `${name}: ${because}`);
    }
  });
}

test("unsigned: an API that knows one alg falls for no spelling", async () => {
  await using as = await createMock({ alg: quickAlg });
  const sent: (string | undefined)[] = [];
  await examineApi({
    as,
    call(token) {
      const { alg } = decodeProtectedHeader(token);
      sent.push(alg);
      return new Response(null, { status: alg === quickAlg ? 200 : 401 });
    },
    only: ["access_token.alg_none"],
  });
  assertEquals(sent, [quickAlg, "none", "None", "NoNe", " none", "foo", "", quickAlg]);
});
