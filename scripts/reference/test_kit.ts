/** docs/reference/test_kit.md. */
import { areas } from "../../src/kit/faults/names.ts";
import type {
  ClassDeclaration,
  InterfaceDeclaration,
  Node,
  SourceFile,
  TypeAliasDeclaration,
} from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { hookNames, hookRows } from "../../src/kit/mock/conditions/hook_table.ts";
import { listEndpointNames } from "../../src/kit/mock/endpoints.ts";
import { code, listed, markNames, type Page, table } from "./markdown.ts";
import { readComment, readSources } from "./sources.ts";

interface Section {
  readonly title: string;
  readonly members: readonly string[];
  /** A part of one program, which the tests run. */
  readonly example: string;
}

const sections: readonly Section[] = [
  {
    title: "Sign people in",
    members: [
      "login",
      "authorize",
      "authorizeForm",
      "nextSignIn",
      "approveDevice",
      "codeOf",
      "authenticatorOf",
      "browser",
    ],
    example: `const tokens = await as.login("bob", { scope: "openid orders" });
const query = { response_type: "code", client_id: "app", redirect_uri: "https://app.test/callback" };
const pkce = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" };
const url = \`\${as.issuer}/oauth2/authorize?\${new URLSearchParams({ ...query, ...pkce })}\`;
const callback = await as.authorize(url, { username: "alice" });
console.log(callback.searchParams.has("code")); // prints true
const onDevice = await as.login("bob", { device: true, client: "my-cli", scope: "openid" });
console.log(onDevice.claims?.sub, onDevice.claims?.aud); // prints bob my-cli
const code = await as.codeOf("alice");
const strong = await as.login("alice", { secondFactor: code });
console.log(strong.claims?.amr); // prints [ "otp", "mfa" ]
console.log((await as.authenticatorOf("alice")).uri.startsWith("otpauth://totp/")); // prints true`,
  },
  {
    title: "What a client does later",
    members: ["refresh", "certificate", "dpopHeaders", "revoke", "endSession"],
    example: `const refreshed = await as.refresh(tokens);
await as.revoke(refreshed);`,
  },
  {
    title: "Tokens and APIs",
    members: [
      ...[
        "mint",
        "expire",
        "resource",
        "route",
        "protect",
        "forge",
        "forgeries",
        "idJag",
        "idJagFaults",
        "rotateKeys",
        "rotateRefreshToken",
      ],
      "workload",
    ],
    example: `const token = await as.mint({ username: "alice", scope: "orders", claims: { role: "admin" } });
const headers = { authorization: \`Bearer \${token}\` };
const protect = as.protect({ scope: "orders" });
const claims = await protect(new Request("https://api.test/orders", { headers }));
const api = as.resource("https://api.test", { scope: "orders" }, (_request, { sub }) => new Response(String(sub)));
console.log("role" in claims, await (await as.fetch(api.url, { headers })).text()); // prints true alice
const { verdict } = await as.forge("access_token.audience_wrong", { scope: "orders" });
console.log(verdict.status, api.requests.length); // prints 401 1
const pipeline = await as.workload("github-actions", { sub: "repo:acme/shop:ref:refs/heads/main" });
console.log(pipeline.issuer); // prints https://as.test/github-actions`,
  },
  {
    title: "Time",
    members: ["clock"],
    example: `as.clock.freeze("2030-01-01T00:00:00Z");
as.clock.advance("2h");`,
  },
  {
    title: "People and clients",
    members: ["people", "clients", "register", "clientDocument"],
    example: `as.people.add({ username: "carol", claims: { email: "carol@shop.test" } });
as.clients.change("app", { scope: "openid orders" });
const { client_id } = await as.register({ client_name: "Notes" });
console.log(client_id.startsWith("reg-")); // prints true
const hosted = as.clientDocument({ client_name: "Notes" });
console.log(hosted.client_id, hosted.requests); // prints https://client.test/1.json 0`,
  },
  {
    title: "What happened",
    members: ["requests", "timeline", "explain"],
    example: `console.log(as.requests.token.last?.clientId, as.requests.length > 0); // prints app true
console.log(as.timeline("text"));`,
  },
  {
    title: "Trouble",
    members: ["hold", "delay", "fail", "drop", "on"],
    example: `using late = as.delay("jwks", "50ms");
using role = as.on("id_token", (value) => ({ ...value, role: "admin" }), { client: "app" });
using failure = as.fail("userinfo", { status: 503, count: 1 });
const gate = as.hold("token", { count: 1 });
const login = as.login("alice");
await gate.arrived();
gate.release();
console.log((await login).claims?.["role"], [late, failure, role].length); // prints admin 3`,
  },
  {
    title: "Wrong on demand",
    members: ["misbehave", "misbehaviours", "lookLike"],
    example: `using wrong = as.misbehave("authorization_response.iss_wrong", { client: "app", times: 1 });
console.log(wrong.verdict.outcome, as.misbehaviours.includes(wrong.name)); // prints pending true
using like = as.lookLike("github");
console.log((await as.login()).token_type, like.name); // prints bearer github`,
  },
  {
    title: "Network",
    members: ["issuer", "fetch", "intercept", "dispatcher", "listen", "answer", "env"],
    example: `using global = as.intercept();
const metadata = await fetch(\`\${as.issuer}/.well-known/openid-configuration\`);
console.log(metadata.status, as.env()["OAUTH_ISSUER"], global !== undefined); // prints 200 https://as.test true`,
  },
  {
    title: "More servers, and the end",
    members: ["tenant", "tenants", "snapshot", "restore", "reset", "close"],
    example: `const acme = as.tenant("acme");
console.log(acme.issuer); // prints https://as.test/acme
const before = await as.snapshot();
as.people.remove("alice");
await as.restore(before);
console.log(as.people.get("alice")?.username); // prints alice
as.reset();`,
  },
];

const start = `import { createMock } from "postern/mock";

await using as = await createMock({ resources: ["https://api.test"] });`;

const dashboardExample = `import { createServer } from "postern";
import { openDashboard } from "postern/dashboard";
import { createMock } from "postern/mock";

await using as = await createMock();
const { url } = await openDashboard(as, { label: "Orders", change: true });
console.log(new URL(url).pathname); // prints /inspector

const server = createServer({ issuer: "http://localhost:3000/auth" });
const opened = await openDashboard(server, { key: "my-development-key" });
console.log(opened.url); // prints http://localhost:3000/auth/inspector#key=my-development-key
await server.close();`;

const dashboardFile = "src/tools/dashboard/open_dashboard.ts";

/** Describes `openDashboard`, which is not a member of the mock. */
function describeDashboard(files: Files): readonly string[] {
  const overloads = files.get(dashboardFile)!.statements.filter((statement) =>
    is.isFunctionDeclaration(statement) && statement.name?.text === "openDashboard" &&
    statement.body === undefined
  );
  return [
    "`postern/dashboard` has one function: [The pages of a running server](../dashboard.md) has more.",
    ...overloads.flatMap((each) => [
      code(signatureOf(each).replace(/^export function /, "")),
      markNames(readComment(each)),
    ]),
    ...["MockDashboardTerms", "OpenedDashboard"].flatMap((name) => [
      `${code(name)}:`,
      ...describeType(name, files),
    ]),
    "`ServerDashboardTerms` has the same members without `change`.",
  ];
}

export async function writeTestKit(): Promise<Page> {
  const files = await readSources();
  const members = new Map([...findMembers("Tenant", files), ...findMembers("Mock", files)]);
  members.delete("[Symbol.asyncDispose]");
  const placed = placeMembers([...members.keys()]);
  // these have a section or a table of their own
  const described = new Set(["Mock", "Tenant", "ClientCalls", "MockOptions", ...Object.keys(ownTexts)]);
  const describing: Describing = { files, described };
  const bodies = placed.map((names) =>
    names.flatMap((name) => describeMember(name, members.get(name)!, describing))
  );
  const types = describeOtherTypes(describing);
  return {
    title: "The test kit",
    summary:
      "Every member of the mock that `createMock` from `postern/mock` returns, every option, and every type.",
    index: code,
    parts: [
      fence("bun deno", start),
      "The other programs of this page continue this one. A `Duration` is a number of seconds, or text such as " +
      '`"90s"` or `"2h"`. If the runtime does not support `await using` (Node before 24), call `await as.close()` at the end.',
      "## createMock",
      "The options are the keys of the [configuration](configuration.md), a few options of `createServer` such as " +
      "`signingKeys` and `fetch`, and these:",
      describeMembers([...findMembers("MockOptions", files)]),
      ...sections.flatMap(({ title, example }, index) => [
        `## ${title}`,
        // the last program has all others in it
        fence(`${index < sections.length - 1 ? "types" : "bun deno"} continues`, example),
        ...bodies[index]!,
      ]),
      "## The dashboard",
      fence("bun deno", dashboardExample),
      ...describeDashboard(files),
      "## Types",
      "The types in the tables above, in the order of the alphabet. `postern/mock` also exports the types of `postern`.",
      ...types,
    ],
  };
}

function fence(words: string, text: string): string {
  return `\`\`\`ts ${words}\n${text}\n\`\`\``;
}

/** Returns the members of each section. A member that no section names follows the one before it in the interface. */
function placeMembers(members: readonly string[]): readonly (readonly string[])[] {
  const placed = sections.map(({ members }) => [...members]);
  const missing = placed.flat().filter((name) => !members.includes(name));
  if (missing.length > 0) {
    throw new Error(`The mock has no ${missing.join(", ")}: mend the sections of test_kit.ts`);
  }
  for (const [index, name] of members.entries()) {
    if (placed.some((names) => names.includes(name))) continue;
    const section = placed.find((names) => names.includes(members[index - 1]!))!;
    section.splice(section.indexOf(members[index - 1]!) + 1, 0, name);
  }
  return placed;
}

type Files = ReadonlyMap<string, SourceFile>;

interface Describing {
  readonly files: Files;
  /** The types that the page has described. */
  readonly described: Set<string>;
}

/** The types that the text of the code does not explain, and the values that `postern/mock` exports. */
const ownTexts: Readonly<Record<string, () => readonly string[]>> = {
  EndpointName: () => [
    `The name of an endpoint: ${listed(listEndpointNames().map((name) => code(name)), "or")}. ` +
    "`page` means pages, their files, preflights and unknown paths. `listEndpointNames()` returns the names. " +
    "`as.requests` has a list for each name, for example `as.requests.token` and `as.requests.logout`.",
  ],
  HookName: () => [
    "The name of a hook. The function of a hook gets the value and returns the value that the server uses instead, " +
    "or nothing to leave the value as it is. `hookTable` has the names with their schemas.",
    table(
      ["name", "the value", "its type"],
      hookNames.map((name) => {
        const { about, shape, seam } = hookRows[name];
        const members = Object.keys(shape?.properties ?? {});
        const type = members.length > 0
          ? `{ ${members.join(", ")} }`
          : seam === "claims"
          ? "Claims"
          : "Members";
        return [code(name), markNames(about), code(type)];
      }),
    ),
  ],
  AnonymousHookName: () => [
    `The hooks that cannot be for one client or person, because no request names one: ${
      listed(hookNames.filter((name) => hookRows[name].anonymous).map((name) => code(name)))
    }.`,
  ],
  MisbehaviourName:
    () => ["The name of a misbehaviour: its area, a dot, and its fault. `as.misbehaviours` lists them."],
  Area: () => [`An area in which a server can be wrong: ${listed(areas.map((area) => code(area)), "or")}.`],
  FaultOf: () => ["The faults of one area: the names of its misbehaviours without the area."],
  HookValues: () => ["The types of the values of hooks, by the name of the hook. See `HookName`."],
};

/** The types of `postern` that a test meets. */
const coreTypes = ["Advice", "Alteration", "Answer", "IncomingRequest", "JournalEntry", "Refusal", "Signer"];

/** Returns a part for each public type that no member has described yet. */
function describeOtherTypes({ files, described }: Describing): readonly string[] {
  const kitTypes = findExports(files).filter((name) => /^[A-Z]/.test(name));
  const others = [...kitTypes, ...coreTypes].filter((name) => !described.has(name));
  return [...new Set([...others, ...Object.keys(ownTexts)])].toSorted().flatMap((name) => {
    const text = ownTexts[name]?.() ?? describeType(name, files);
    if (text.length === 0) throw new Error(`test_kit.ts finds no declaration of the public type ${name}`);
    return [`### ${name}`, ...text];
  });
}

/** Returns the names that src/kit/mod.ts exports from its own files. */
function findExports(files: Files): readonly string[] {
  const { statements } = files.get("src/kit/mod.ts")!;
  return statements.flatMap((statement) => {
    if (!is.isExportDeclaration(statement)) return [];
    const { exportClause } = statement;
    return exportClause !== undefined && is.isNamedExports(exportClause)
      ? exportClause.elements.map(({ name }) => name.getText())
      : [];
  });
}

/** Returns the comment of a type, and its members or its text. */
function describeType(name: string, files: Files): readonly string[] {
  const node = findDeclaration(name, files);
  if (node === undefined) return [];
  const comment = markNames(readComment(node));
  const members = [...findMembers(name, files)].filter(([member]) => member !== "");
  const isObject = !is.isTypeAliasDeclaration(node) || is.isTypeLiteralNode(node.type) ||
    is.isIntersectionTypeNode(node.type) && !node.type.types.some((each) => is.isMappedTypeNode(each));
  const text = is.isTypeAliasDeclaration(node)
    ? [code(plain(node.type.getText()).replace(/^[|&] /, ""))]
    : [];
  return [
    ...(comment === "" ? [] : [comment]),
    ...(isObject && members.length > 0 ? [describeMembers(members)] : text),
  ];
}

type Declaration = InterfaceDeclaration | TypeAliasDeclaration | ClassDeclaration;

function findDeclaration(name: string, files: Files): Declaration | undefined {
  for (const [path, { statements }] of files) {
    const isPublic = /^src\/kit\//.test(path) || path === dashboardFile;
    if (!isPublic && !coreTypes.includes(name)) continue;
    const found = statements.filter(isDeclaration).find((statement) => statement.name?.text === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isDeclaration(node: Node): node is Declaration {
  return is.isInterfaceDeclaration(node) || is.isTypeAliasDeclaration(node) || is.isClassDeclaration(node);
}

function describeMember(name: string, node: Node, { files, described }: Describing): readonly string[] {
  const types = [...new Set([...node.getText().matchAll(/\b[A-Z]\w+/g)].map(([type]) => type))];
  const tables = types.flatMap((type) => {
    if (described.has(type) || coreTypes.includes(type)) return [];
    const text = describeType(type, files);
    if (text.length === 0) return [];
    described.add(type);
    return [`${code(type)}:`, ...text];
  });
  return [
    `### ${name}`,
    ...(is.isMethodSignatureDeclaration(node)
      ? [code(signatureOf(node))]
      : [code(`${name}: ${typeOf(node)}`)]),
    ...(readComment(node) === "" ? [] : [markNames(readComment(node))]),
    ...tables,
  ];
}

function describeMembers(members: readonly (readonly [name: string, node: Node])[]): string {
  return table(
    ["member", "what it is"],
    members.map(([name, node]) => {
      const text = is.isMethodSignatureDeclaration(node)
        ? signatureOf(node)
        : `${name}${isOptional(node) ? "?" : ""}: ${typeOf(node)}`;
      return [code(text), markNames(readComment(node) || usualComment(name))];
    }),
  );
}

/** Parameters of the protocol need no comment in the code. */
function usualComment(name: string): string {
  if (["scope", "resource", "prompt", "nonce"].includes(name)) {
    return `The parameter \`${name}\` of the request.`;
  }
  return /^(?:access|refresh|id)_token$|^token_type$|^expires_in$/.test(name)
    ? `The member \`${name}\` of the token response.`
    : "";
}

function isOptional(node: Node): boolean {
  return is.isPropertySignatureDeclaration(node) && node.postfixToken !== undefined;
}

function typeOf(node: Node): string {
  const type = is.isPropertySignatureDeclaration(node) || is.isPropertyDeclaration(node)
    ? node.type
    : undefined;
  return type === undefined ? "unknown" : plain(type.getText());
}

function signatureOf(node: Node): string {
  return plain(node.getText().replace(/;$/, ""));
}

function plain(text: string): string {
  return text.replace(/^\s*\/\/.*$/gm, "").replace(/\breadonly /g, "").replace(/\s+/g, " ").replace(
    /,? \)/g,
    ")",
  ).replace("( ", "(");
}

/** Returns the members of an interface of the test kit, with those that it inherits, or of a type that is an object. */
function findMembers(name: string, files: Files): ReadonlyMap<string, Node> {
  const node = findDeclaration(name, files);
  if (node === undefined) return new Map();
  if (is.isTypeAliasDeclaration(node)) return new Map(findLiterals(node.type));
  if (is.isClassDeclaration(node)) {
    return nameAll(node.members.filter((each) => is.isPropertyDeclaration(each)));
  }
  const inherited =
    node.heritageClauses?.flatMap(({ types }) =>
      types.flatMap(({ expression }) => [...findMembers(expression.getText(), files)])
    ) ?? [];
  return new Map([...inherited, ...nameAll(node.members)]);
}

function nameAll(members: readonly Node[]): ReadonlyMap<string, Node> {
  return new Map(members.map((each) => [nameOf(each), each] as const));
}

/** Returns the members of all object types in a type. The first of several with one name stands for all. */
function findLiterals(type: Node): readonly (readonly [string, Node])[] {
  const found = new Map<string, Node>();
  const see = (node: Node): void => {
    if (is.isTypeLiteralNode(node)) {
      for (const each of node.members) {
        const isNever = is.isPropertySignatureDeclaration(each) && each.type?.getText() === "never";
        if (!isNever && !found.has(nameOf(each))) found.set(nameOf(each), each);
      }
    } else if (
      is.isIntersectionTypeNode(node) || is.isUnionTypeNode(node) || is.isParenthesizedTypeNode(node)
    ) {
      node.forEachChild((child) => void see(child));
    } else if (is.isConditionalTypeNode(node)) see(node.falseType);
  };
  see(type);
  return [...found];
}

function nameOf(member: Node): string {
  // a call signature and an index signature have no name
  return "name" in member ? (member.name as Node | undefined)?.getText() ?? "" : "";
}
