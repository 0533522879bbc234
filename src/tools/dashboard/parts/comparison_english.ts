/** The English words for the comparison of two tokens. */

import { sayEach } from "../../../ground/values/say_count.ts";

export const englishComparison = {
  heading: "Two tokens compared",
  differences: (
    { changed, removed, added }: Readonly<Record<"changed" | "removed" | "added", number>>,
  ): string => {
    const told = sayEach([[changed, "changed"], [removed, "removed"], [added, "added"]]);
    return told === "" ? "Both say the same." : `Lines: ${told}.`;
  },
  equal: (lines: number): string => lines === 1 ? "1 equal line" : `${lines} equal lines`,
  kinds: { changed: "Changed", removed: "Removed", added: "Added" },
  about: "What the second token says otherwise than the first. Their signatures always differ.",
  first: "First token",
  second: "Second token",
  others: "Choose other tokens to compare",
  choose: "Compare",
  back: "Back to the request",
  of: (token: string, carriedBy: "request" | "response"): string =>
    carriedBy === "request" ? `${token} in the request` : token,
  none: "Among these requests is no other token of this kind.",
  gone: "The journal does not have this request, or the request has no such token.",
  other: "Another token, to compare both",
  needsTwo: "Both texts must be JWTs to be compared.",
} as const;
