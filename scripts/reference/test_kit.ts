/** docs/reference/test_kit.md. */
import type { Node, SourceFile } from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { code, markNames, type Page, table } from "./markdown.ts";
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
    members: ["login", "authorize", "authorizeForm", "nextSignIn", "browser"],
    example: `const tokens = await as.login("bob", { scope: "openid orders" });
const query = { response_type: "code", client_id: "app", redirect_uri: "https://app.test/callback" };
const pkce = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" };
const url = \`\${as.issuer}/oauth2/authorize?\${new URLSearchParams({ ...query, ...pkce })}\`;
const callback = await as.authorize(url, { as: "alice" });
console.log(callback.searchParams.has("code")); // prints true`,
  },
  {
    title: "What a client does later",
    members: ["refresh", "revoke", "endSession"],
    example: `const refreshed = await as.refresh(tokens);
await as.revoke(refreshed);`,
  },
  {
    title: "Tokens and APIs",
    members: ["mint", "expire", "protect", "forge", "forgeries", "rotateKeys"],
    example: `const token = await as.mint({ person: "alice", scope: "orders", claims: { role: "admin" } });
const api = as.protect({ scope: "orders" });
const headers = { authorization: \`Bearer \${token}\` };
const claims = await api(new Request("https://api.test/orders", { headers }));
const { verdict } = await as.forge("wrong-audience", { scope: "orders" });
console.log("role" in claims, verdict.status); // prints true 401`,
  },
  {
    title: "Time",
    members: ["clock"],
    example: `as.clock.freeze("2030-01-01T00:00:00Z");
as.clock.advance("2h");`,
  },
  {
    title: "People and clients",
    members: ["people", "clients"],
    example: `as.people.add({ username: "carol", claims: { email: "carol@shop.test" } });
as.clients.change("app", { scope: "openid orders" });`,
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
    title: "Network",
    members: ["issuer", "fetch", "intercept", "listen", "answer", "env"],
    example: `using global = as.intercept();
const metadata = await fetch(\`\${as.issuer}/.well-known/openid-configuration\`);
console.log(metadata.status, as.env()["OAUTH_ISSUER"], global !== undefined); // prints 200 https://as.test true`,
  },
  {
    title: "More servers, and the end",
    members: ["tenant", "tenants", "reset", "close"],
    example: `const acme = as.tenant("acme");
console.log(acme.issuer); // prints https://as.test/acme
as.reset();`,
  },
];

const start = `import { createMock } from "postern/mock";

await using as = await createMock({ resources: ["https://api.test"] });`;

export async function writeTestKit(): Promise<Page> {
  const files = await readSources();
  const members = new Map([...findMembers("Tenant", files), ...findMembers("Mock", files)]);
  members.delete("[Symbol.asyncDispose]");
  requireAll([...members.keys()]);
  // these have a section, or are told by the sentence about the member
  const described = new Set(["Tenant", "MockOptions", "NextSignIn"]);
  return {
    title: "The test kit",
    summary: "Every member of the mock that `createMock` from `postern/mock` returns, and every option.",
    parts: [
      fence("bun deno", start),
      "The other programs of this page continue this one. A `Duration` is a number of seconds, or text such as " +
      '`"90s"` or `"2h"`. If the runtime does not support `await using` (Node before 24), call `await as.close()` at the end.',
      "## createMock",
      "The options are the keys of the [configuration](configuration.md), a few options of `createServer` such as " +
      "`signingKeys` and `fetch`, and these:",
      describeMembers([...findMembers("MockOptions", files)]),
      ...sections.flatMap(({ title, members: names, example }, index) => [
        `## ${title}`,
        // the last program has all others in it
        fence(`${index < sections.length - 1 ? "types" : "bun deno"} continues`, example),
        ...names.flatMap((name) => describeMember(name, members.get(name)!, { files, described })),
      ]),
    ],
  };
}

function fence(words: string, text: string): string {
  return `\`\`\`ts ${words}\n${text}\n\`\`\``;
}

/** Throws if a member has no section, or a section names a member that does not exist. */
function requireAll(members: readonly string[]): void {
  const named = sections.flatMap(({ members }) => members);
  const wrong = [...members, ...named].filter((name) => !members.includes(name) || !named.includes(name));
  if (wrong.length > 0) throw new Error(`Mend the sections of test_kit.ts: ${wrong.join(", ")}`);
}

type Files = ReadonlyMap<string, SourceFile>;

interface Describing {
  readonly files: Files;
  /** The types that the page has described. */
  readonly described: Set<string>;
}

function describeMember(name: string, node: Node, { files, described }: Describing): readonly string[] {
  const types = [...new Set([...node.getText().matchAll(/\b[A-Z]\w+/g)].map(([type]) => type))];
  const tables = types.flatMap((type) => {
    const inside = [...findMembers(type, files)];
    if (inside.length === 0) return [];
    if (described.has(type)) return [];
    described.add(type);
    return [`${code(type)}:`, describeMembers(inside)];
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
  return is.isPropertySignatureDeclaration(node) && node.type !== undefined
    ? plain(node.type.getText())
    : "unknown";
}

function signatureOf(node: Node): string {
  return plain(node.getText().replace(/;$/, ""));
}

function plain(text: string): string {
  return text.replace(/\breadonly /g, "").replace(/\s+/g, " ").replace(/,? \)/g, ")").replace("( ", "(");
}

/** Returns the members of an interface of the test kit, with those that it inherits, or of a type that is an object. */
function findMembers(name: string, files: Files): ReadonlyMap<string, Node> {
  for (const [path, file] of files) {
    if (!path.startsWith("src/mock/")) continue;
    for (const statement of file.statements) {
      if (is.isInterfaceDeclaration(statement) && statement.name.text === name) {
        const inherited = statement.heritageClauses?.flatMap(({ types }) =>
          types.flatMap(({ expression }) => [...findMembers(expression.getText(), files)])
        ) ?? [];
        return new Map([
          ...inherited,
          ...statement.members.map((each) =>
            [nameOf(each), each] as const
          ),
        ]);
      }
      if (is.isTypeAliasDeclaration(statement) && statement.name.text === name) {
        return new Map(findLiterals(statement.type));
      }
    }
  }
  return new Map();
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
  return "name" in member ? (member.name as Node).getText() : "";
}
