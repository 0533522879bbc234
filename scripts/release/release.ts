/** What a release is made of, and its folder. */

export interface Release {
  readonly version: string;
  /** Publishes nothing, and leaves out what needs a secret or another machine. */
  readonly isRehearsal: boolean;
}

/** The files that people download. */
export const folder = "dist/release";

export const tagOf = ({ version }: Pick<Release, "version">): string => `v${version}`;

/** The archive that `deno task build` packs. */
export const packageOf = ({ version }: Pick<Release, "version">): string => `dist/postern-${version}.tgz`;
