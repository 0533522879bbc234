/** Serves the files that only pages of the tools load, and the icon of responses that are no pages. */

import { etagOf } from "../../ground/crypto/bytes.ts";
import type { Answer, IncomingRequest } from "../../ground/http/message.ts";
import { serveStatic, typeOfFile } from "../../ground/http/respond.ts";
import type { ToolAssetName } from "./asset_names.ts";
import { requireMethod } from "./guard.ts";

/** Loaded with the first file, because most servers never show a page of the tools. */
const importTexts = () => import("./asset_texts.ts");

/** Where browsers look for the icon of a response that names none, for example of the metadata. */
export const iconPath = "/favicon.ico";

export async function answerIcon(request: IncomingRequest): Promise<Answer> {
  requireMethod(request, ["GET", "HEAD"]);
  const { icon } = await importTexts();
  return serveText(request, "postern.svg", icon);
}

export async function answerAsset(request: IncomingRequest, wanted: ToolAssetName): Promise<Answer> {
  requireMethod(request, ["GET", "HEAD"]);
  const texts: Readonly<Record<ToolAssetName, string>> = await importTexts();
  return serveText(request, wanted, texts[wanted]);
}

function serveText(request: IncomingRequest, name: string, text: string): Answer {
  return serveStatic(request, { type: typeOfFile(name), text, etag: etagOf(text) }, 0);
}
