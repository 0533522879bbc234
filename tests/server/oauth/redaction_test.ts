/** Each kind of secret is hidden in a text that has no other sign of one. */
import { assertEquals } from "@std/assert";
import { hidden, redactText } from "../../../src/server/oauth/redaction.ts";
import { test } from "../../runner.ts";

const texts: Readonly<Record<string, readonly [before: string, after: string]>> = {
  "a cut JWT": ["eyJhbGciOiJSUzI1NiJ9.eyJ", hidden],
  "a private key": ['{"kty":"OKP","d":"c2VjcmV0"}', `{"kty":"OKP","d":"${hidden}"}`],
  "an encoded private key": ["%7B%22kty%22%3A%22OKP%22%2C%22d%22%3A%22c2VjcmV0%22%7D", hidden],
  "a pushed request": [
    "urn:ietf:params:oauth:request_uri:abc",
    `urn:ietf:params:oauth:request_uri:${hidden}`,
  ],
  "the user of an address": ["//ann@host/", `//${hidden}@host/`],
  "a member of a query": ["?code=abc", `?code=${hidden}`],
};

for (const [name, [before, after]] of Object.entries(texts)) {
  test(`redaction: ${name} is hidden`, () => assertEquals(redactText(before), after));
}
