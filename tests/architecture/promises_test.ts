/** Which promises `deno task ok` finds, because nothing waits for them. */
import { assertEquals } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { runDeno } from "../../scripts/run_program.ts";
import { asDeveloper } from "../../scripts/runtimes.ts";
import { createFolder } from "../in_folder.ts";
import { test } from "../runner.ts";

/** Statements of an async function, each with the line that the rule finds. */
const cases: readonly (readonly [code: string, found?: string])[] = [
  ["save();", "save()"],
  ["await save();"],
  ["void save();"],
  ["isOpen && save();", "save()"],
  ["isOpen ? await save() : save();", "save()"],
  ["(save());", "save()"],
  ["place?.save();", "place?.save()"],
  ["place.maySave();", "place.maySave()"],
  ["count();"],
  ["saved = save();"],
  ["saved ??= save();"],
  ["save().catch(count);"],
  ["save().then(count);", "save().then(count)"],
  ["save().then(count, count);"],
  ["save().finally(count);", "save()"],
  ["save().catch(count).finally(count);"],
  ["return save();"],
  ["try { return save(); } catch { count(); }", "save()"],
  ["try { return await save(); } catch { count(); }"],
  ["try { return isOpen ? save() : undefined; } finally { count(); }", "save()"],
  ["try { count(); } catch { return save(); }"],
  ["try { count(); } catch { return save(); } finally { count(); }", "save()"],
  ["try { count(); } finally { return save(); }"],
  ["try { count(); return () => { return save(); }; } finally { count(); }"],
  ["using open = place.open(); return save();", "save()"],
  ["await using open = place.open(); if (isOpen) { return save(); }", "save()"],
  ["if (isOpen) { return save(); } using open = place.open();"],
];

test("promises: what the gate finds, and what it leaves", async () => {
  await using path = await createFolder();
  for (const [index, [code]] of cases.entries()) {
    await writeFile(
      path(`${index}.ts`),
      `
declare const isOpen: boolean;
declare let saved: Promise<void> | undefined;
declare function save(): Promise<void>;
declare function count(): void;
declare const place: {
  save(): Promise<void>;
  maySave(): Promise<void> | undefined;
  open(): Disposable & AsyncDisposable;
};
export async function act() {
  ${code}
}
`,
    );
  }
  const args = ["run", ...asDeveloper, "--allow-all", "scripts/promises.ts", path(".")];
  const { success, output } = await runDeno(...args);
  const found = new Map(
    [...output.matchAll(/failure: .*?(\d+)\.ts:12 (.*)/g)].map(([, index, text]) => [Number(index), text!]),
  );
  for (const [index, [code, text]] of cases.entries()) assertEquals(found.get(index), text, code);
  assertEquals(success, false);
});
