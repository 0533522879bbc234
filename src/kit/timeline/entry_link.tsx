/** A link of a recorded exchange to another one, or to what explains it. */
/** @jsxImportSource preact */

import { type ComponentChildren, type ComponentType, type Context, createContext, type VNode } from "preact";
import { useContext } from "preact/hooks";

export interface EntryLinkProps {
  readonly href: string;
  readonly id?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Pages around an exchange may have links of their own kind. */
export const LinkContext: Context<ComponentType<EntryLinkProps> | "a"> = createContext<
  ComponentType<EntryLinkProps> | "a"
>("a");

export function EntryLink(props: EntryLinkProps): VNode {
  const Link = useContext(LinkContext);
  return <Link {...props} />;
}
