/** Opens the mock of a fixture, and writes its timeline to a file when a test has failed. */

import { statSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { performance } from "node:perf_hooks";
import { createMock, type Mock } from "../mock/mock.ts";
import { findMainFile } from "../../server/runtime/runtime_name.ts";
import type { MockOptions } from "../mock/terms/mock_options.ts";

/** What a fixture needs to open its mock. */
export interface FixtureTerms {
  /** The options of the mock. */
  readonly options?: MockOptions;
  /** Called with each new mock before a test uses it, for example to call `intercept()` or `listen()`. */
  readonly start?: (as: Mock) => unknown;
}

/** The same, for a runner that has no attachments of its own. */
export interface FolderTerms extends FixtureTerms {
  /** The folder for the timelines of failed tests. Default: `test-results`. */
  readonly folder?: string;
}

export async function openMock({ options, start }: FixtureTerms): Promise<Mock> {
  const as = await createMock(options);
  try {
    await start?.(as);
    return as;
  } catch (error) {
    await as.close();
    throw error;
  }
}

export async function withMock(terms: FixtureTerms, use: (as: Mock) => Promise<void>): Promise<void> {
  const as = await openMock(terms);
  try {
    await use(as);
  } finally {
    await as.close();
  }
}

export const timelineName = "timeline.html";

/** Writes the timeline of a failed test. Resolves to a sentence with the path of the file. */
export async function writeTimeline(
  as: Mock,
  { file = findMainFile() ?? "", name }: { readonly file?: string | undefined; readonly name: string },
  { folder = "test-results" }: Pick<FolderTerms, "folder">,
): Promise<string> {
  const text = await as.timeline({ as: "html" });
  const words = `${relative("", file)} ${name}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["test"];
  const stem = join(folder, words.join("-").slice(0, 120));
  await mkdir(folder, { recursive: true });
  return `The timeline of this test: ${writeNumbered(stem, text)}`;
}

/** Replaces only the file of an earlier run. Nothing waits here, so tests that fail together have a file each. */
function writeNumbered(stem: string, text: string): string {
  const pathOf = (number: number) => `${stem}${number === 1 ? "" : `-${number}`}-${timelineName}`;
  let number = 1;
  while (isOfThisRun(pathOf(number))) number++;
  writeFileSync(pathOf(number), text);
  return pathOf(number);
}

/** Whether the file is younger than the process, in which a runner runs at least one file of tests. */
function isOfThisRun(path: string): boolean {
  const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return mtimeMs >= performance.timeOrigin;
}
