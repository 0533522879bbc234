/** Copies files of the checkout into a folder. */
import { dirname, join } from "node:path";

export async function copyFiles(files: readonly string[], folder: string): Promise<void> {
  const folders = new Set(files.map((file) => join(folder, dirname(file))));
  await Promise.all([...folders].map((each) => Deno.mkdir(each, { recursive: true })));
  await Promise.all(files.map((file) => Deno.copyFile(file, join(folder, file))));
}
