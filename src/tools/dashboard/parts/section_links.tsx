/** Links between the pages of one section, at the top of each of them. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { PageLink } from "./pass.tsx";

export interface SectionLink {
  readonly href: string;
  readonly text: string;
  readonly isHere: boolean;
}

export function SectionLinks(
  { label, links }: { readonly label: string; readonly links: readonly SectionLink[] },
): VNode {
  return (
    <nav class="sections" aria-label={label}>
      <ul class="links">
        {links.map(({ href, text, isHere }) => (
          <li key={href}>
            <PageLink href={href} aria-current={isHere ? "page" : undefined}>{text}</PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
