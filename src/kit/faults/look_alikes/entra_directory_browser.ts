/** In a browser, Microsoft Graph shows the person of the token alone, and its lists have one page. */

import type { IncomingRequest } from "../../../ground/http/message.ts";
import type { Members } from "../../../ground/values/members.ts";
import { contextOf, select } from "./entra_people.ts";
import type { ProviderEndpoint } from "./look_alike.ts";

export function listEndpointsOfDirectory(_version: string): readonly ProviderEndpoint[] {
  return [];
}

export function listItems(items: readonly Members[], request: IncomingRequest, set: string): Members {
  const query = new URLSearchParams(request.address.query);
  return { ...contextOf(request, set), value: items.map((each) => select(each, query)) };
}
