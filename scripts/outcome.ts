/** What became of a program that was run, and several of them side by side. */

export interface Outcome {
  readonly success: boolean;
  /** Everything it printed. */
  readonly output: string;
}

export async function run(program: string, args: readonly string[]): Promise<Outcome> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { success, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

export async function runDeno(...args: readonly string[]): Promise<Outcome> {
  return await run(Deno.execPath(), args);
}

/** As many at a time as there are cores: each keeps one busy. Results are in the order of the items. */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item, place: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [place, item] of queue) results[place] = await work(item, place);
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, worker));
  return results;
}
