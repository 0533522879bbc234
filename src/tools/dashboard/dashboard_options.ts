/** What `postern start`, or the program that opens a dashboard, decides about it. */

import { createRandomBytes, randomText } from "../../ground/crypto/bytes.ts";
import type { Snippet } from "./frame/frame_props.ts";
import type { Settings } from "../../server/oauth/contracts/settings.ts";

export interface DashboardOptions {
  /** The key that shows secrets in the inspector. */
  readonly key: string;
  /** Other machines can reach the server, so every page needs the key. */
  readonly isReached: boolean;
  /** The pages show codes and tokens without the key, because only pages of its own origin reach the server. */
  readonly showsSecrets?: true;
  /** From which the tokens of the forms come. Absent: a new one. */
  readonly formSecret?: string;
  readonly label?: string;
  /** What the user types before the name of a command. Default: `npx postern`. */
  readonly program?: string;
  /** The command that prints the settings for a library. Absent: the server has no flags. */
  readonly printCommand?: (library: string) => string;
  /** The name of the file of `--people`. */
  readonly peopleFile?: string;
  /** What the front page shows for the usual client libraries. Absent: nothing. */
  readonly snippets?: DescribeSnippets;
  /** The name of the store, without a password. */
  readonly store?: string;
  /** What the program that opens the dashboard contains. Such a server has no flags, and no control plane. */
  readonly embedded?: "server" | "mock";
  /** Present with `--control`, or if the program allows changes. */
  readonly control?: {
    /** The token of the control plane. Absent: the control plane needs no token. */
    readonly token?: string;
    /** Whether other machines may use the control plane. */
    readonly open: boolean;
  };
}

export type DescribeSnippets = (settings: Settings) => readonly Snippet[];

/** Returns the secrets that no page shows, wherever they occur. */
export function listNeverShown({ key, control }: DashboardOptions): readonly string[] {
  return control?.token === undefined ? [key] : [key, control.token];
}

// In characters. A caller must not be able to guess the key.
const shortestKey = 16;
const longestKey = 200;

export const inspectorKeyForm: string =
  `${shortestKey} to ${longestKey} letters, digits, and the characters - . _ ~`;

export function isInspectorKey(text: string): boolean {
  return text.length >= shortestKey && text.length <= longestKey && /^[\w.~-]+$/.test(text);
}

export function createInspectorKey(): string {
  return randomText(createRandomBytes(), 16);
}

// In characters.
const longestLabel = 60;

export const labelForm: string = `a text of ${longestLabel} characters at most`;

export function isLabel(text: string): boolean {
  return text.trim() !== "" && text.length <= longestLabel;
}
