/** Keeps the judgements in a file below `dist/`, so that a run goes on where it was stopped. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { sha256 } from "../../src/ground/crypto/platform.ts";
import { git } from "../test/changed.ts";
import { fileOf, type Judgement } from "./judge.ts";
import type { Mutant } from "./mutant.ts";

export interface JudgedMutant extends Judgement {
  readonly mutant: Mutant;
}

export interface Results {
  /** What an earlier run found, if neither the source nor, for what lived, the tests have changed since. */
  find(mutant: Mutant): JudgedMutant | undefined;
  add(judged: JudgedMutant): void;
  /** How many mutants in the folder of the source, also of earlier runs, the tests of a file have noticed. */
  countNoticed(source: string, test: string): number;
}

interface KeptJudgement extends Judgement {
  readonly key: string;
  readonly tests: string;
}

const path = "dist/mutants/results.jsonl";

/** The key of a judgement begins with the source. */
export function countNoticed(
  judgements: readonly Pick<KeptJudgement, "key" | "verdict" | "by">[],
): Results["countNoticed"] {
  const pairOf = (source: string, test: string) => `${dirname(source)} ${test}`;
  const noticed = judgements.filter(({ verdict }) => verdict === "dead");
  const pairs = Map.groupBy(noticed, ({ key, by }) => pairOf(key.split(" ")[0]!, fileOf(by!)));
  return (source, test) => pairs.get(pairOf(source, test))?.length ?? 0;
}

export function openResults(texts: ReadonlyMap<string, string>, inBrowser: boolean): Results {
  Deno.mkdirSync("dist/mutants", { recursive: true });
  const changes = [["ls-files", "--stage"], ["diff"], ["status", "--short"]].flatMap((args) =>
    git(...args, "tests")
  );
  const tests = sha256([...changes, inBrowser].join("\n"));
  const hashes = new Map([...texts].map(([file, text]) => [file, sha256(text)]));
  // the number of a mutant depends on what else is mutated, so its place in the text names it
  const keyOf = ({ file, kind, start, after }: Mutant) =>
    [file, hashes.get(file), start.line, start.column, kind, after].join(" ");
  const known = new Map<string, KeptJudgement>();
  if (existsSync(path)) {
    for (const line of Deno.readTextFileSync(path).split("\n")) {
      if (line === "") continue;
      const kept: KeptJudgement = JSON.parse(line);
      known.set(kept.key, kept);
    }
  }
  return {
    find(mutant) {
      const kept = known.get(keyOf(mutant));
      const isValid = kept?.verdict === "dead" || kept?.tests === tests;
      return kept === undefined || !isValid ? undefined : { ...kept, mutant };
    },
    add({ mutant, ...judgement }) {
      const kept: KeptJudgement = { key: keyOf(mutant), tests, ...judgement };
      Deno.writeTextFileSync(path, `${JSON.stringify(kept)}\n`, { append: true });
    },
    countNoticed: countNoticed([...known.values()]),
  };
}
