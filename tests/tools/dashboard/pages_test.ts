/**
 * Pages of the dashboard in several states, line by line. `pages.txt` has what a person does, behind ">", and what the
 * person then reads and can do. With POSTERN_WRITE_PAGES=1, the test writes the pages as they are now.
 */

import { assert, assertEquals, assertFalse } from "@std/assert";
import { readFileSync, writeFileSync } from "node:fs";
import { readVariable } from "../../environment.ts";
import { attribute, findAll, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { describePage } from "./describe_page.ts";
import { key, load, openControlled, origin, submit } from "./open_dashboard.ts";
import { requireWhole } from "./require_whole.ts";
import { authorizePath, redeem, requestTokens, spa } from "./spa.ts";

const file = "tests/tools/dashboard/pages.txt";
const token = "correct-horse-battery";

const web = { client_id: "web", client_name: "The shop", client_secret: "s3cret", redirect_uris: [origin] };
const people = [
  { username: "alice", claims: { name: "Alice <A>", email: "alice@test" } },
  { username: "bob", password: "correct horse", disabled: true },
];

type Steps = Readonly<Record<string, (...words: readonly string[]) => Promise<Response | void>>>;
type Opened = Awaited<ReturnType<typeof openControlled>>;

async function open(options = {}, terms = {}): Promise<Opened> {
  const usual = { seed: 1, time: () => 1_700_000_000, clients: [spa, web], people, login: "auto" } as const;
  return await openControlled({ ...usual, ...options }, { formSecret: "of the forms", ...terms });
}

/** Does what each word says. Returns the page that follows, if the list shows it. */
function createSteps(opened: Opened, texts: Record<string, string>): Steps {
  const { as, send, post } = opened;
  const fieldsOf = (form: string) => Object.fromEntries(new URLSearchParams(form));
  const keep = async (response: Response) => void Object.assign(texts, await response.json());
  return {
    GET: (path) => send(path!),
    async POST(page, form = "", action = page) {
      const response = await submit(opened, page!, fieldsOf(form), action);
      return response.status === 303 ? await send(response.headers.get("location")!) : response;
    },
    // The first button of the page that says so. Its form is sent as it is.
    async PRESS(page, ...button) {
      const forms = findAll(readHtml(await load(opened, page!)), "form");
      const form = forms.find((each) => textOf(each).includes(button.join(" ")));
      assert(form, `${page} has no button "${button.join(" ")}"`);
      const fields = findAll(form, "input").map(({ attributes }) =>
        [attributes.get("name")!, attributes.get("value") ?? ""] as const
      );
      const { headers } = await post(attribute(form, "action")!, Object.fromEntries(fields));
      return await send(headers.get("location")!);
    },
    WITHOUT_TOKEN: (path, form = "") => post(path!, fieldsOf(form)),
    SEND: async (path) => void await send(path!),
    async LOGIN() {
      texts["callback"] = (await send(authorizePath())).headers.get("location")!;
      await keep(await redeem(opened, new URL(texts["callback"]).searchParams.get("code")!));
    },
    TOKEN: async (form) => await keep(await requestTokens(opened, fieldsOf(form!))),
    ENTER: (secret, form = "") => opened.enter(secret!, fieldsOf(form)),
    NEW_TAB: async () => await opened.openTab(),
    // Such as `people.add`, with its arguments as JSON.
    async KIT(call, args = "") {
      const [name, member] = call!.split(".");
      const part = Reflect.get(as, name!);
      await (member === undefined ? part : part[member])(...JSON.parse(`[${args}]`));
    },
  };
}

/** Ids are numbered in the order of the journal. Other random texts, times of this machine and lengths of pages are only dots. */
function withoutChance(text: string, { as }: Pick<Opened, "as">): string {
  return as.requests.map(({ id }) => id).reduce((rest, id, at) => rest.replaceAll(id, `id-${at + 1}`), text)
    .replaceAll(origin, "~")
    .replace(/eyJ[\w-]+\.[\w-]*\.[\w-]*/g, "JWT")
    .replace(/(?<![\w-])(?=[\w-]*[A-Z\d])[\w-]{22,}(?:\.[\w-]{16}(?![\w-]))?/g, "…")
    .replace(/(?<=A body of )[\d,]+/g, "…")
    .replace(/(?<=SHA-256 begins with )[\w-]+|(?<=name="step" value=")\d+/g, "…")
    .replace(/\b(?!1700)\d{10}\b|\b20(?!23)\d\d-\d\d-\d\d [\d:]{8}/g, "…");
}

/** Describes a page, or the headers of a file. Lines that a page before had are only counted. */
async function describe(response: Response, opened: Opened, known: Set<string>): Promise<readonly string[]> {
  const text = await response.text();
  for (const secret of [key, token]) assertFalse(text.includes(secret), "no page shows the key or the token");
  const isFile = response.headers.has("content-disposition");
  if (!isFile) requireWhole(text);
  const headers = ["content-type", "content-disposition", "content-security-policy", "cache-control"];
  const all = isFile
    ? headers.map((name) => `${response.headers.get(name)}`)
    : describePage(withoutChance(text, opened));
  const others = all.filter((line) => known.size < known.add(line).size || line.startsWith("…"));
  const location = withoutChance(response.headers.get("location") ?? "", opened);
  return [` → ${location}${response.status}, ${all.length - others.length} known`, ...others];
}

test("pages: each in several states, line by line", async () => {
  const kept = readFileSync(file, "utf8").trimEnd().split(/[\n⏎]/);
  const known = new Set<string>();
  const lines: string[] = [];
  let opened: Opened | undefined;
  let texts: Record<string, string> = {};
  for (const line of kept.filter((each) => /^(>|$)/.test(each))) {
    const [, step = ""] = /^> (.*?)(?: →.*)?$/.exec(line) ?? [];
    lines.push(step === "" ? line : `> ${step}`);
    if (step === "") continue;
    const [, times = "1", verb = "", rest = ""] = /^(?:(\d+) )?(\w+) ?(.*)$/.exec(step)!;
    if (verb === "OPEN") {
      await opened?.as.close();
      opened = await open(...JSON.parse(`[${rest}]`) as [object?, object?]);
      texts = { token, key };
      continue;
    }
    for (let at = 0; at < Number(times); at++) {
      const requests = [...opened!.as.requests];
      const filled = rest.replaceAll("#", `${at}`)
        .replace(/\bid-(\d+)/g, (_, number) => requests[number - 1]?.id ?? "")
        .replace(/\bflow-(\d+)/g, (_, number) => requests[number - 1]?.flow ?? "")
        .replace(/\$(\w+)/g, (_, name) => encodeURIComponent(texts[name] ?? ""));
      const words = filled.split(verb === "KIT" ? / (.*)/ : " ");
      const response = await createSteps(opened!, texts)[verb]!(...words);
      if (!response) continue;
      const [end, ...page] = await describe(response, opened!, known);
      lines.push(`${lines.pop()}${end}`, ...page);
    }
  }
  await opened?.as.close();
  if (readVariable("POSTERN_WRITE_PAGES") !== undefined) {
    writeFileSync(file, `${lines.join("\n").replace(/\n(?!>|\n|$)/g, "⏎")}\n`);
  }
  assertEquals(lines, kept);
});
