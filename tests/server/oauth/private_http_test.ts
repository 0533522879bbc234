/** `allow_private_http`: which hosts a client may use with http, and that the public internet is not among them. */

import { assertEquals } from "@std/assert";
import type { ClientMetadata } from "../../../src/mod.ts";
import { isPrivateHost } from "../../../src/ground/http/address.ts";
import { test } from "../../runner.ts";
import { createWorld } from "../../world.ts";
import { assertCannotCreate, assertCode, assertRefusedOnPage } from "./refusals.ts";

const clientAt = (uri: string, members: Partial<ClientMetadata> = {}): ClientMetadata => ({
  client_id: "public",
  redirect_uris: [uri],
  ...members,
});

const allowed = [
  "http://10.0.0.1/cb",
  "http://172.16.0.1:3000/cb",
  "http://172.31.255.255/cb",
  "http://192.168.1.5/cb",
  "http://100.64.0.1/cb",
  "http://127.0.0.2:3000/cb",
  "http://[fd00::1]:3000/cb",
  "http://[fc12:3456::1]/cb",
  "http://app:3000/cb",
  "http://my_app-1:3000/cb",
  "http://app.test/cb",
  "http://app.example/cb",
  "http://app.invalid/cb",
  "http://printer.local/cb",
  "http://host.docker.internal:3000/cb",
  "http://router.home.arpa/cb",
  "http://app.default.svc.cluster.local/cb",
];

for (const redirect_uri of allowed) {
  test(`allow_private_http: ${redirect_uri} works, and compares as text`, async () => {
    const sentence =
      "clients[0].redirect_uris[0] must be https: http is for 127.0.0.1, [::1], localhost and *.localhost, " +
      "and with allow_private_http: true for private addresses and local names";
    for (const members of [{}, { allow_private_http: false }]) {
      await assertCannotCreate(
        () => createWorld({ clients: [clientAt(redirect_uri, members)] }),
        sentence.replace("https:", `https, not "${redirect_uri}":`),
      );
    }
    await using world = createWorld({ clients: [clientAt(redirect_uri, { allow_private_http: true })] });
    assertCode(await world.authorize({ redirect_uri }));
    const { origin, pathname } = new URL(redirect_uri);
    for (const other of [`${origin}:1${pathname}`, `${origin}/other`, `${redirect_uri}/`]) {
      const expected = { error: "invalid_request", reason: "redirect_uri_unregistered" };
      await assertRefusedOnPage(world, await world.authorize({ redirect_uri: other }), expected);
    }
  });
}

const refused = [
  "http://app.company.com/cb",
  "http://example.com/cb",
  "http://8.8.8.8/cb",
  "http://0.0.0.0/cb",
  "http://9.255.255.255/cb",
  "http://11.0.0.1/cb",
  "http://172.15.0.1/cb",
  "http://172.32.0.1/cb",
  "http://192.169.0.1/cb",
  "http://100.63.0.1/cb",
  "http://100.128.0.1/cb",
  // The metadata service of cloud machines. No browser of a test is there.
  "http://169.254.169.254/cb",
  "http://[2001:db8::1]/cb",
  "http://[fc::1]/cb",
  "http://[fe80::1]/cb",
  "http://[::ffff:192.168.1.5]/cb",
  "http://[0:0:0:0:0:0:0:1]/cb",
  // A URL parser reads these as other hosts than a person does.
  "http://192.168.257/cb",
  "http://3232235781/cb",
  "http://0xa.0.0.1/cb",
  "http://010.0.0.1/cb",
  "http://APP/cb",
  "http://app./cb",
  "http://app.test./cb",
  "http://.test/cb",
  "http://a..test/cb",
  "http://10.evil.com/cb",
  "http://192.168.1.5.evil.com/cb",
  "http://app.test.evil.com/cb",
  "http://10.0.0.1@evil.com/cb",
  "http://app:3000@evil.com/cb",
  "http://user@app/cb",
  "http://app%2eevil.com/cb",
  "http://app:/cb",
  "http://app:99999/cb",
  "http://app#/cb",
  "http:app/cb",
  "http:///cb",
  "HTTP://app/cb",
  "ftp://app/cb",
  "javascript:alert(1)",
];

for (const redirect_uri of refused) {
  test(`allow_private_http: ${redirect_uri} cannot be registered (RFC 9700 §2.6)`, () =>
    assertCannotCreate(
      () => createWorld({ clients: [clientAt(redirect_uri, { allow_private_http: true })] }),
      "clients[0].redirect_uris[0] must ",
    ));
}

test("allow_private_http: the refusal of a public host does not suggest the setting again", () =>
  assertCannotCreate(
    () => createWorld({ clients: [clientAt("http://example.com/cb", { allow_private_http: true })] }),
    'clients[0].redirect_uris[0] must be https, not "http://example.com/cb": ' +
      "http is for this machine, private addresses and local names only",
  ));

for (const name of ["post_logout_redirect_uris", "backchannel_logout_uri"] as const) {
  test(`allow_private_http: also counts for ${name}`, async () => {
    const uri = "http://app:3000/bye";
    const member = { [name]: name === "backchannel_logout_uri" ? uri : [uri] };
    const client = clientAt("https://app.example/cb", member);
    const place = name === "backchannel_logout_uri" ? name : `${name}[0]`;
    await assertCannotCreate(() => createWorld({ clients: [client] }), `clients[0].${place} must be https`);
    await createWorld({ clients: [{ ...client, allow_private_http: true }] }).close();
  });
}

test("allow_private_http: long texts that look like a host take linear time", () => {
  const texts = ["a.".repeat(50_000), "a".repeat(100_000), "[fd00".repeat(20_000), "1.".repeat(50_000)];
  for (const text of texts) {
    assertEquals(isPrivateHost(`${text}!`), false);
  }
});
