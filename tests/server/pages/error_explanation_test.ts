/** The failure view explains each error code that a specification has. */

import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { english } from "../../../src/server/pages/words/english.ts";
import { test } from "../../runner.ts";
import { inWorld } from "../../world.ts";
import { failure, pages } from "./examples.ts";
import { attribute, byId, findAll, findById, readHtml, textOf } from "./read_html.ts";

/** RFC 6749 §4.1.2.1; OpenID Connect Core §3.1.2.6; RFC 8707 §2; RFC 9470 §5; RFC 9396 §5. */
const authorizationErrors = [
  ...["invalid_request", "unauthorized_client", "access_denied", "unsupported_response_type"],
  ...["invalid_scope", "server_error", "temporarily_unavailable", "interaction_required", "login_required"],
  ...["account_selection_required", "consent_required", "invalid_request_uri", "invalid_request_object"],
  ...["request_not_supported", "request_uri_not_supported", "registration_not_supported", "invalid_target"],
  ...["unmet_authentication_requirements", "invalid_authorization_details"],
];

/** RFC 6749 §5.2; RFC 6750 §3.1; RFC 9449 §5, §8. */
const otherErrors = [
  ...["invalid_client", "invalid_grant", "unsupported_grant_type", "invalid_token", "insufficient_scope"],
  ...["invalid_dpop_proof", "use_dpop_nonce"],
];

for (const error of [...authorizationErrors, ...otherErrors]) {
  test(`errors: ${error} has a meaning, a usual cause, a change and a link to its rule`, () => {
    const { errorDescription: _, ...bare } = failure;
    const meaning = byId(readHtml(pages.callback({ ...bare, error })), "meaning");
    assertEquals(findAll(meaning, "dt").map(textOf), [
      "Meaning",
      "Usual cause",
      "What to change",
      "The rule",
    ]);
    for (const link of findAll(meaning, "a")) {
      assertEquals([attribute(link, "target"), attribute(link, "rel")], ["_blank", "noopener noreferrer"]);
    }
    assert(findAll(meaning, "a").length > 0);
    for (const text of Object.values(english.errors.explain(error)!)) {
      assert(/^\p{Lu}.*\.$/u.test(text), text);
    }
  });
}

test("errors: a response that describes its error is shown as it is, without the general meaning of the code", () => {
  const document = readHtml(pages.callback({ ...failure, errorDescription: "The person said no" }));
  assertEquals(textOf(byId(document, "error-description")), "The person said no");
  assertEquals(findAll(byId(document, "meaning"), "dt").map(textOf).includes("Meaning"), false);
});

test("errors: an address without a response is explained, and needs no rule", () => {
  const meaning = byId(readHtml(pages.callback({ hasError: true, homeUrl: "/" })), "meaning");
  assertStringIncludes(textOf(meaning), "response_mode=fragment");
  assertEquals(findAll(meaning, "a"), []);
});

for (const error of ["constructor", "made_up", "<b>"]) {
  test(`errors: the unknown code ${error} is said to be unknown`, () => {
    const meaning = byId(readHtml(pages.callback({ ...failure, error })), "meaning");
    assertStringIncludes(textOf(meaning), "No specification that this server knows has this code.");
    assertEquals(findAll(meaning, "a"), []);
  });
}

test("errors: the page shows the state and the issuer that came, and whether it is the issuer of this server", () =>
  inWorld({}, async (world) => {
    const show = async (iss: string) =>
      readHtml(
        await (await world.get(
          `/authorized?${new URLSearchParams({ error: "access_denied", state: "xyz", iss })}`,
        )).text(),
      );
    const own = await show(world.issuer);
    assertEquals([textOf(byId(own, "returned-state")), textOf(byId(own, "iss"))], ["xyz", world.issuer]);
    assertStringIncludes(textOf(own), "This is the issuer of this server");
    const other = await show("https://other.example");
    assertEquals(textOf(byId(other, "iss")), "https://other.example");
    assertFalse(textOf(other).includes("This is the issuer of this server"));
  }));

test("errors: the page lists the values that the server accepts, unless other machines may see it", async () => {
  const scopes = { read: "Read", write: "Write" };
  const options = { scopes, resources: ["https://api.example"] };
  const accepted = async (error: string, frontPage: "full" | "issuer") => {
    let text: string | undefined;
    await inWorld({ ...options, frontPage }, async (world) => {
      const html = await (await world.get(`/authorized?error=${error}`)).text();
      const list = findById(readHtml(html), "accepted");
      text = list && textOf(list);
    });
    return text;
  };
  assertEquals(await accepted("invalid_scope", "full"), "read write");
  assertEquals(await accepted("invalid_target", "full"), "https://api.example");
  assertEquals(await accepted("unsupported_response_type", "full"), "code");
  assertEquals(await accepted("access_denied", "full"), undefined);
  assertEquals(await accepted("invalid_scope", "issuer"), undefined);
});
