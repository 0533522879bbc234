/** Examines two versions of each library, and prints the outcomes of the rows as JSON: by flaw, version and row. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createMock, examine, examineApi } from "postern/mock";
import { apis } from "./apis.js";
import { clients, metadata } from "./clients.js";

const load = createRequire(import.meta.url);
const audience = "https://api.test";
// A busy machine must not change an outcome.
const within = 30;

const outcomes = {};
for (const { id, rows: only, packages } of JSON.parse(readFileSync("flaws.json", "utf8"))) {
  outcomes[id] = [];
  for (const [index, name] of packages.entries()) {
    const about = { id, only, library: load(name), isMended: index === 1 };
    const examined = id in apis ? examineVerifier(about) : examineClient(about);
    const card = await examined.catch((cause) => Promise.reject(new Error(`${id} with ${name}`, { cause })));
    outcomes[id].push(Object.fromEntries(card.rows.map((row) => [row.name, row.outcome])));
  }
}
console.log(JSON.stringify(outcomes));

async function examineVerifier({ id, only, library, isMended }) {
  // Libraries that are older than RFC 9068 know no other type.
  const as = await createMock({ time: () => Date.now() / 1000, accessTokenType: "JWT" });
  await as.listen();
  const { issuer } = as;
  const jwksUri = `${issuer}/oauth2/jwks`;
  const loadKeys = async () => (await (await fetch(jwksUri)).json()).keys;
  try {
    const verify = apis[id](library, { issuer, audience, jwksUri, loadKeys, isMended, load });
    return await examineApi({
      ...{ as, audience, scope: "orders", only, within },
      call: async (token) => {
        try {
          await verify(token);
          return new Response("ok");
        } catch {
          const headers = { "www-authenticate": 'Bearer error="invalid_token"' };
          return new Response(null, { status: 401, headers });
        }
      },
    });
  } finally {
    await as.close();
  }
}

async function examineClient({ id, only, library }) {
  const client = { client_id: "app", redirect_uris: ["https://app.test/callback"] };
  return await examine({
    client: clients[id](library, load),
    options: { clients: [{ ...client, ...metadata[id] }] },
    ...{ only, within, listen: true },
  });
}
