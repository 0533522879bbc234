/** Runs files that failed twice more, alone and with the same seed: do they always fail? */
import type { Lane } from "./lanes.ts";
import type { LaneResult } from "./run_lane.ts";
import { needsServer } from "./servers.ts";

/** A file that failed at one place, with the number of runs that failed, of three. */
export interface FailedFile {
  readonly place: string;
  readonly file: string;
  readonly failures: number;
}

// When more fail, they fail together, and one cause is to be found first.
const mostFiles = 10;

export async function rerunFailed(
  results: readonly LaneResult[],
  run: (lane: Lane, index: number) => Promise<LaneResult>,
): Promise<readonly FailedFile[]> {
  const failed = results.flatMap(({ lane, failedFiles }) => failedFiles.map((file) => ({ lane, file })));
  if (failed.length > mostFiles) console.log(`${failed.length} files failed; ${mostFiles} of them run again`);
  const found: FailedFile[] = [];
  for (const { lane, file } of failed.slice(0, mostFiles)) {
    let failures = 1;
    for (const again of ["again", "once more"]) {
      const { share: _, ...whole } = lane;
      const { counts } = await run({ ...whole, name: `${lane.name}, ${again}`, files: [file] }, 0);
      if (counts.failed > 0) failures++;
    }
    found.push({ place: lane.name, file, failures });
  }
  return found;
}

export function describeFailed({ place, file, failures }: FailedFile): string {
  return `${file} on ${place}: ${failures === 3 ? "fails always" : `failed ${failures} of 3`}`;
}

/**
 * In CI, one file that needs Chromium or a real database may fail once and pass twice, because their programs are not ours.
 * Returns such files. Two are too many.
 */
export function findUnstable(failed: readonly FailedFile[]): readonly FailedFile[] {
  return failed.filter(({ file, place, failures }) =>
    failures === 1 && (/^(?:browser|page|worker)/.test(place) || needsServer(file))
  );
}
