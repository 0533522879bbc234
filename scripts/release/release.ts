/** What a release is made of, and its folders. */
import type { Outcome } from "../run_program.ts";

export interface Release {
  readonly version: string;
  /** Publishes nothing, and leaves out what needs a secret or another machine. */
  readonly isRehearsal: boolean;
}

/** A step that makes files, or the rehearsal of a channel. */
export interface Step {
  /** What the step does, for people. */
  readonly does: string;
  /** What a rehearsal leaves out. */
  readonly adds: string;
  /** The output is for people who ask why it failed. */
  readonly run: (release: Release) => Promise<Outcome>;
}

/** What the workflow hands from the job that builds to those that publish. */
export const releaseFolder = "dist/release";

/** The files that people download. */
export const folder: string = `${releaseFolder}/downloads`;

/** What only the channels need: the notes, the sources, the image. */
export const channelFolder: string = `${releaseFolder}/channels`;

export const tagOf = ({ version }: Pick<Release, "version">): string => `v${version}`;

/** The archive of the npm package. */
export const packageOf = ({ version }: Pick<Release, "version">): string =>
  `${folder}/postern-${version}.tgz`;

export function done(output: string): Outcome {
  return { success: true, output };
}

export function listDownloads(): readonly string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}
