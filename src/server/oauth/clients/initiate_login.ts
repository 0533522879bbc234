/** The address at which a client begins a sign-in that another party asks for (OpenID Connect Core §4). */

import { text } from "../../schema/schema.ts";
import type { ClientMember } from "../feature.ts";
import { checkHttps } from "./redirect_uri.ts";

export const initiateLoginMember: ClientMember<string> = {
  name: "initiate_login_uri",
  schema: {
    ...text,
    examples: ["https://app.example/login"],
  },
  // OpenID Connect Dynamic Client Registration §2.
  check: (uri) => checkHttps(initiateLoginMember.name, uri),
};
