/** The HTML document around every page of the dashboard. */
/** @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import {
  createDocument,
  type Page as ServerPage,
  type PageFile,
  type ServerFile,
} from "../../../server/pages/document.tsx";
import { Carrier, type PagePass, WithPass } from "../parts/pass.tsx";
import type { ToolAssetName } from "../../guard/asset_names.ts";
import type { FrameProps } from "./frame_props.ts";
import { showFrame } from "./show_frame.tsx";
import { present } from "../../../ground/values/present.ts";

type DashboardFile = ServerFile | Extract<ToolAssetName, PageFile>;

export type Page = ServerPage<DashboardFile>;

export function showPage(
  page: Page,
  { assetUrl, frame: props, pass }: {
    readonly assetUrl: (name: string) => string;
    readonly frame: FrameProps;
    readonly pass: PagePass | undefined;
  },
): string {
  const within = (part: ComponentChildren) => <WithPass pass={pass}>{part}</WithPass>;
  const frame = showFrame(props);
  const document = createDocument({
    assetUrl,
    frame: () => ({
      ...frame,
      bar: (here) => within(frame.bar(here)),
      conditions: () => within(<>{frame.conditions()}</>),
    }),
    ...present({ firstScript: pass?.kind === "missing" || pass?.kind === "carried" ? "pass.js" : undefined }),
    // What the script `pass.js` reads.
    attributes: present({
      "data-pass": pass?.kind,
      "data-address": pass?.kind === "carried" ? pass.address : undefined,
    }),
    end: within(<Carrier />),
  });
  return document({ ...page, main: within(<>{page.main}</>) });
}
