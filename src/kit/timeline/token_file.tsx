/** The view of a token in a file, as HTML. Nothing can be copied from it. */
/** @jsxImportSource preact */

import { renderToString } from "preact-render-to-string";
import style from "../../../static/token.css" with { type: "text" };
import type { TokenProps } from "../../server/pages/token/token_props.ts";
import { TokenView } from "../../server/pages/token/token.tsx";

export const tokenStyle: string = style;

export function tokenFile(props: Omit<TokenProps, "id" | "now">): string {
  return renderToString(<TokenView {...props} />);
}
