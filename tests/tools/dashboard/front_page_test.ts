/** What the dashboard shows on the front page of a server. */

import { assert, assertEquals } from "@std/assert";
import { createPages } from "../../../src/server/pages/mod.ts";
import { present } from "../../../src/ground/values/present.ts";
import type { FrameProps } from "../../../src/tools/dashboard/frame/frame_props.ts";
import { showFrame } from "../../../src/tools/dashboard/frame/show_frame.tsx";
import { home, pages, signIn } from "../../server/pages/examples.ts";
import { byId, findAll, findById, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";

const frontFrame = (): FrameProps => ({
  program: "npx postern",
  issuer: home.issuer,
  links: (["playground", "inspector", "people", "clients"] as const).map((name) => ({
    name,
    text: name,
    href: `/${name}`,
  })),
  conditions: [],
  urls: {
    ...{ playground: "/playground", inspector: "/inspector", people: "/people", clients: "/clients" },
    client: (id) => `/clients/client?id=${id}`,
    person: (username) => `/people/person?username=${username}`,
  },
  mayChange: false,
  searchUrl: "/search",
  front: {
    snippets: () => ["env", "spring"].map((id) => ({ id, name: `The ${id}`, text: `text of ${id}` })),
    recent: () => ({ items: [], path: "/inspector", now: 0, linkTo: () => "" }),
    newestTokens: () => new Map([["person-9", "/inspector/of-9"], ["person-10", "/inspector/of-10"]]),
    conditionHrefs: { misbehaviour: "/wrong", clock: "/clock", gate: "/gates", look_alike: "/like" },
    store: "sqlite:postern.db",
  },
  entryUrl: () => undefined,
  ownEntryUrl: () => undefined,
  findCause: () => undefined,
  correctUrl: () => undefined,
});

test("home: the address names the form of the settings, and the first one stands for any other", () => {
  const created = createPages({ assetUrl: (name) => `/${name}`, frame: () => showFrame(frontFrame()) });
  const forms = [[undefined, "env"], ["spring", "spring"], ["<b>", "env"], ["toString", "env"]];
  for (const [settings, id] of forms) {
    const document = readHtml(created.home({ ...home, ...present({ settings }) }));
    assertEquals(textOf(byId(document, "snippet")), `text of ${id}`, settings);
    const chosen = findAll(byId(document, "library"), "option").filter((each) =>
      each.attributes.has("selected")
    );
    assertEquals(chosen.map((each) => each.attributes.get("value")), [id]);
  }
});

test("home: with a dashboard it has ten clients and ten people, and leads to the others", () => {
  const created = createPages({ assetUrl: (name) => `/${name}`, frame: () => showFrame(frontFrame()) });
  const [client] = home.configuration!.clients;
  const many = Array.from({ length: 12 }, (_, at) => at);
  const document = readHtml(created.home({
    ...home,
    configuration: {
      ...home.configuration!,
      clients: many.map((at) => ({ ...client!, id: `client-${at}` })),
      people: many.map((at) => ({ username: `person-${at}`, hasPassword: false })),
    },
  }));
  const pages = { clients: "/clients/client?id=client-9", people: "/people/person?username=person-9" };
  for (const [id, own] of Object.entries(pages)) {
    assertEquals(findAll(findAll(byId(document, id), "tbody")[0]!, "tr").length, 10, id);
    const named = findAll(byId(document, id), "a").map(({ attributes }) => attributes.get("href"));
    assert(named.includes(own), `${named}`);
    const link = findAll(document, "a").find((each) => textOf(each) === `All 12 ${id}`)!;
    assertEquals(link.attributes.get("href"), `/${id}`);
  }
  const links = findAll(document, "a").map((each) => [textOf(each), each.attributes.get("href")]);
  const ofTokens = links.filter(([text]) => text!.startsWith("Newest token"));
  assertEquals(ofTokens, [["Newest token of person-9", "/inspector/of-9"]]);
  assert(links.some(([text, href]) => text === "Other clients" && href === "#clients-heading"));
});

test("home: the links to the playground and what is on are there only with a dashboard", () => {
  const idsOf = (html: string) =>
    ["start", "keys", "playground", "snippet", "state"].filter((id) =>
      findById(readHtml(html), id) !== undefined
    );
  const props = { ...home, endpoints: [{ name: "jwks_uri", url: "https://as.test/jwks" }] };
  assertEquals(idsOf(pages.home(props)), ["start", "keys"]);
  const html = createPages({ assetUrl: (name) => `/${name}`, frame: () => showFrame(frontFrame()) }).home(
    props,
  );
  assertEquals(idsOf(html), ["start", "keys", "playground", "snippet", "state"]);
});

test("sign-in: the name of the people file shows its hidden characters", () => {
  const frame = () => showFrame({ ...frontFrame(), peopleFile: "\u202egpj.json" });
  const created = createPages({ assetUrl: (name) => `/${name}`, frame });
  const document = readHtml(created.signIn({ ...signIn, listsPeople: true }));
  assertEquals(textOf(findAll(byId(document, "password-note"), "code")[0]!), "\\u{202E}gpj.json");
});
