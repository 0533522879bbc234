/** Client libraries accept the test kit's `fetch`, as in the README's table. */

import { createRemoteJWKSet, customFetch as jose } from "jose";
import { customFetch as oauth, discoveryRequest } from "oauth4webapi";
import { customFetch, discovery, None } from "openid-client";
import { createMock } from "postern/mock";

const as = await createMock();
await discovery(new URL(as.issuer), "app", undefined, None(), { [customFetch]: as.fetch });
await discoveryRequest(new URL(as.issuer), { [oauth]: as.fetch });
createRemoteJWKSet(new URL(as.issuer), { [jose]: as.fetch });
